/* The tree over the work-items of a row that lie in one sub-group: no local memory, and no barrier.
 *
 * The one hard idea: in a step of s, every work-item takes in the vector of the one whose place differs
 * from its own in bit s. Of a pair, the lower one so has p[i] op p[i + s], which is the tree's step, and
 * the upper one p[i + s] op p[i], which is the same: no reduction tells its operands apart but by the
 * payload of a NaN. So the work-items that a step of the tree leaves out go along with those that it
 * does not, nobody asks for a place outside the row, and in the end each has the vector that is left:
 * nothing is to be told. */
#include "fusion/lower/build.h"

void sinter__emit_shuffles(lowering *l, sinter__statement *folds, int count, int items)
{
    for (int step = items / 2; step > 0; step /= 2) {
        for (int i = 0; i < count; i++) { /* independent of each other, so that they overlap */
            folds[i].kind = SINTER__DO_TREE_SWAP;
            folds[i].assign = true;
            folds[i].a = sinter__ix_number(l, step);
            sinter__emit(l, &folds[i]);
        }
    }
}
