/* SPDX-License-Identifier: BSD-3-Clause
 * See share.h. */
#include "algos/share.h"

#include <assert.h>

/* Return T(SPES) of TASK on chip 0, or ACROSS. */
static double
time_of(const struct cost *c, const struct share_task *task, bool across, unsigned spes)
{
  enum cost_parameter kind = task->kind + across;
  unsigned n = spes > c->spes_per_chip ? c->spes_per_chip : spes < 1 ? 1 : spes;
  return c->parameter(c, kind, task->nbytes, cost_pack_movers((struct cost_movers){n, task->writes}));
}

/* Fill in the lead and the parts of TASK. From across it uses the controller as much as on its chip. */
static void
measure(const struct cost *c, struct share_task *task, bool across)
{
  unsigned all = c->spes_per_chip;
  double use[2] = {0}, burst[2] = {0}, alone = 0;
  for (unsigned i = 0; i <= across; i++) {
    double last = time_of(c, task, i, all);
    alone = time_of(c, task, i, 1);
    use[i] = fmax(last - time_of(c, task, i, all - 1), 0);
    burst[i] = fmin(fmax(time_of(c, task, i, 2) - alone, 0), use[i]);
    task->lead = fmin(fmax(last - all * use[i], 0), alone - burst[i]);
  }
  double rest = alone - task->lead - burst[across], used = use[across] - burst[across];
  task->parts[0] = (struct share_part){burst[across], burst[0], across ? burst[1] : 0};
  task->parts[1] = (struct share_part){fmax(rest, used), use[0] - burst[0], across ? used : 0};
}

int
share_add(struct share *share, struct share_task task)
{
  assert(share->n < SHARE_TASKS_MAX);
  if (task.nbytes > 0) {
    measure(share->cost, &task, task.rank >= share->cost->spes_per_chip);
  }
  task.left = 1;
  task.start = task.after == SHARE_AT_ONCE ? task.delay : INFINITY;
  task.begin = task.start + task.lead;
  task.end = INFINITY;
  share->tasks[share->n] = task;
  return (int)share->n++;
}

static bool
is_active(const struct share_task *task, double now)
{
  return task->begin <= now && task->end == INFINITY;
}

/* What tasks wait for: the q of the controller and that of the link. */
struct queues {
  double memory, link;
};

/* Return how long the part that TASK is in takes at this rate. */
static double
stretched(const struct share_task *task, struct queues q)
{
  const struct share_part *part = &task->parts[task->part];
  return part->alone + (part->use > 0 ? q.memory : 0) + (part->link > 0 ? q.link : 0);
}

/* Raise *QUEUE, one of Q, which are both 0 or too short, by Newton's method until what it leads to is not overused: the sum
 * is convex, so that it comes from below. */
static void
raise_queue(const struct share *share, double now, struct queues *q, double *queue)
{
  double overuse = 1;
  for (unsigned round = 0; round < 20 && overuse > 1e-6; round++) {
    double sum = 0, slope = 0;
    for (unsigned i = 0; i < share->n; i++) {
      const struct share_task *task = &share->tasks[i];
      const struct share_part *part = &task->parts[task->part];
      double use = queue == &q->link ? part->link : part->use;
      if (is_active(task, now) && use > 0) {
        double time = stretched(task, *q);
        sum += use / time;
        slope += use / (time * time);
      }
    }
    overuse = sum - 1;
    *queue += overuse > 0 ? overuse / slope : 0;
  }
}

static void
end_task(struct share *share, unsigned index, double now)
{
  share->tasks[index].end = now;
  for (unsigned i = 0; i < share->n; i++) {
    struct share_task *task = &share->tasks[i];
    if (task->after == (int)index) {
      task->start = now + task->delay;
      task->begin = task->start + task->lead;
    }
  }
}

/* Let the tasks go on from NOW until something changes.
 * returns: when that is. */
static double
go_on(struct share *share, double now)
{
  struct queues q = {0, 0};
  double next = INFINITY;
  raise_queue(share, now, &q, &q.memory);
  raise_queue(share, now, &q, &q.link);
  for (unsigned i = 0; i < share->n; i++) {
    const struct share_task *task = &share->tasks[i];
    if (task->end == INFINITY) {
      next = fmin(next, is_active(task, now) ? now + task->left * stretched(task, q) : task->begin);
    }
  }
  for (unsigned i = 0; i < share->n; i++) {
    struct share_task *task = &share->tasks[i];
    double time = stretched(task, q);
    if (is_active(task, now)) {
      task->left -= time > 0 ? (next - now) / time : 1;
    }
    if (is_active(task, now) && task->left < 1e-9) {
      task->left = 1;
      if (task->nbytes == 0 || ++task->part == SHARE_PARTS) {
        task->part = 0;
        end_task(share, i, next);
      }
    }
  }
  return next;
}

bool
share_run(struct share *share)
{
  unsigned ended = 0;
  double now = 0;
  for (unsigned round = 0; round < 8 * share->n && ended < share->n; round++) {
    now = go_on(share, now);
    ended = 0;
    for (unsigned i = 0; i < share->n; i++) {
      ended += share->tasks[i].end < INFINITY;
    }
  }
  return ended == share->n;
}
