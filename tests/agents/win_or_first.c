/* Wins if it can, else takes the first free cell: a board a line in, a cell a line out. */
#include <stdio.h>
#include <string.h>

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

int main(void)
{
    char board[64];
    while (fgets(board, sizeof board, stdin)) {
        int marks = 0, best = -1;
        for (int cell = 0; cell < 9; cell++)
            marks += board[cell] != '.';
        char me = marks % 2 ? 'O' : 'X';
        for (int line = 0; line < 8 && best < 0; line++) {
            int own = 0, free = -1;
            for (int i = 0; i < 3; i++) {
                int cell = lines[line][i];
                own += board[cell] == me;
                if (board[cell] == '.')
                    free = cell;
            }
            if (own == 2 && free >= 0)
                best = free;
        }
        if (best < 0)
            best = (int)(strchr(board, '.') - board);
        printf("%d\n", best + 1);
        fflush(stdout);
    }
    return 0;
}
