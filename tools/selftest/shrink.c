/* Shrinking: drop outputs, cut the program off at a value by making it an input, drop what is not
 * used any more, for as long as the fault shows. */
#include "selftest/program.h"

#include <stdlib.h>
#include <string.h>

/* Drops steps and inputs that no output needs, and numbers the others anew. */
static void drop_unused(st_program *p)
{
    bool needed[ST_MAX_VALUES] = {false};
    int number[ST_MAX_VALUES];
    int inputs = p->input_count;
    for (int i = p->step_count - 1; i >= 0; i--) {
        st_step *t = &p->steps[i];
        needed[inputs + i] |= t->is_output;
        for (int k = 0; k < 3 && needed[inputs + i]; k++) {
            if (t->operand[k] >= 0)
                needed[t->operand[k]] = true;
        }
    }
    int kept = 0;
    for (int i = 0; i < inputs; i++) {
        number[i] = kept;
        if (needed[i])
            p->inputs[kept++] = p->inputs[i];
        else
            free(p->inputs[i].data);
    }
    p->input_count = kept;
    int steps = 0;
    for (int i = 0; i < p->step_count; i++) {
        number[inputs + i] = kept + steps;
        if (!needed[inputs + i])
            continue;
        st_step t = p->steps[i];
        for (int k = 0; k < 3; k++)
            t.operand[k] = t.operand[k] >= 0 ? number[t.operand[k]] : -1;
        p->results[steps] = p->results[i];
        p->steps[steps++] = t;
    }
    p->step_count = steps;
}

/* Keeps `changed` when it still shows the fault. */
static bool take(st_program *p, st_program *changed, bool (*shows)(void *user, const st_program *p),
                 void *user)
{
    drop_unused(changed);
    if (changed->step_count == 0 || !shows(user, changed)) {
        st_free(changed);
        return false;
    }
    st_free(p);
    *p = *changed;
    return true;
}

static int output_count(const st_program *p)
{
    int count = 0;
    for (int i = 0; i < p->step_count; i++)
        count += p->steps[i].is_output;
    return count;
}

static bool drop_output(st_program *p, int i, bool (*shows)(void *user, const st_program *p),
                        void *user)
{
    st_program changed;
    if (!p->steps[i].is_output || output_count(p) < 2 || !st_copy(&changed, p))
        return false;
    changed.steps[i].is_output = false;
    return take(p, &changed, shows, user);
}

/* Makes the only output of another step. */
static bool only_output(st_program *p, int i, bool (*shows)(void *user, const st_program *p),
                        void *user)
{
    st_program changed;
    if (!st_copy(&changed, p))
        return false;
    for (int k = 0; k < changed.step_count; k++)
        changed.steps[k].is_output = k == i;
    return take(p, &changed, shows, user);
}

/* Step `i`'s value, as the reference computes it, in the place of the step. */
static bool make_input(st_program *p, int i, bool (*shows)(void *user, const st_program *p),
                       void *user, const st_way *reference)
{
    st_program probe;
    st_program changed;
    st_results r = {.count = 0};
    if (p->input_count == ST_MAX_INPUTS || p->steps[i].is_output || !st_copy(&probe, p))
        return false;
    for (int k = 0; k < probe.step_count; k++)
        probe.steps[k].is_output = k == i;
    sinter_status status = st_run(&probe, 1, reference, &r);
    st_free(&probe);
    if (status != SINTER_OK || r.count != 1 || !st_copy(&changed, p)) {
        st_results_free(&r);
        return false;
    }
    /* The new input goes behind the others, so every step moves up by one. */
    int inputs = changed.input_count;
    for (int k = 0; k < changed.step_count; k++) {
        for (int o = 0; o < 3; o++) {
            int *v = &changed.steps[k].operand[o];
            *v = *v == inputs + i ? inputs : *v >= inputs ? *v + 1 : *v;
        }
    }
    st_input *in = &changed.inputs[changed.input_count++];
    *in = (st_input){.dtype = r.dtype[0], .data = r.data[0], .bytes = r.bytes[0]};
    in->rank = p->results[i].rank;
    memcpy(in->shape, p->results[i].shape, sizeof in->shape);
    r.count = 0; /* the data are the input's now */
    return take(p, &changed, shows, user);
}

void st_shrink(st_program *p, bool (*shows)(void *user, const st_program *p), void *user,
               const st_way *reference)
{
    bool smaller = true;
    for (int round = 0; smaller && round < 50; round++) {
        smaller = false;
        for (int i = p->step_count - 1; i >= 0 && !smaller; i--)
            smaller = drop_output(p, i, shows, user);
        for (int i = 0; i < p->step_count - 1 && !smaller; i++)
            smaller = !p->steps[i].is_output && only_output(p, i, shows, user);
        for (int i = p->step_count - 1; i >= 0 && !smaller; i--)
            smaller = make_input(p, i, shows, user, reference);
    }
}
