// Shows one step at a time: ← → or the slider move, a question stops until it is answered.
const film = JSON.parse(document.getElementById("film").textContent);
const part = (name) => document.getElementById(name);
const answered = new Set();
let now = 0;

function stop() { // the first step with an open question
  const found = film.steps.findIndex((step, n) => step.ask && !answered.has(n));
  return found < 0 ? film.steps.length - 1 : found;
}

function show(wanted) {
  now = Math.max(0, Math.min(wanted, stop()));
  const step = film.steps[now];
  part("screen").replaceChildren(...step.rows.map((number) => {
    const line = document.createElement("div"), pieces = film.rows[number];
    for (let n = 0; n < pieces.length; n += 2) {
      const span = document.createElement("span");
      span.textContent = pieces[n];
      span.className = "i" + pieces[n + 1];
      line.append(span);
    }
    return line;
  }));
  part("said").replaceChildren(...step.said.map((number) => {
    const line = document.createElement("p");
    line.textContent = film.sentences[number];
    return line;
  }));
  part("count").textContent = `${now + 1} of ${film.steps.length}`;
  part("at").value = now + 1;
  part("ask").hidden = !step.ask || answered.has(now);
  if (step.ask) document.querySelector("label").textContent = step.ask[0];
  part("answer").value = part("reply").textContent = "";
  history.replaceState(null, "", "#" + (now + 1));
}

function isRight(said, right) { // a number to the decimals of the answer, or the same words
  const digits = (right.split(".")[1] || "").length, plain = (text) => text.trim().toLowerCase().replace("−", "-");
  const [own, wanted] = [plain(said), plain(right)];
  if (own === wanted) return true;
  return own !== "" && Math.abs(Number(own) - Number(wanted)) < .5 * 10 ** -digits + 1e-9;
}

function pass() {
  answered.add(now);
  show(now + 1);
}

part("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (isRight(part("answer").value, film.steps[now].ask[1])) pass();
  else {
    part("reply").textContent = "Not that. Try again.";
    part("answer").select();
  }
});
part("tell").addEventListener("click", pass);
part("back").addEventListener("click", () => show(now - 1));
part("on").addEventListener("click", () => show(now + 1));
part("at").addEventListener("input", (event) => show(event.target.value - 1));
document.addEventListener("keydown", (event) => {
  if (event.target.id === "answer" || event.target.id === "at") return;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: film.steps.length - 1 }[event.key];
  if (to !== undefined) show(to);
});
addEventListener("hashchange", () => show(location.hash.slice(1) - 1));
part("at").max = film.steps.length;
show((Number(location.hash.slice(1)) || 1) - 1);
