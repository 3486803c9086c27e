/* SPDX-License-Identifier: BSD-3-Clause
 * See share.h. */
#include "algos/share.h"

/* How often the queues are found, each with the others as they are then. */
enum { ROUNDS = 4 };

/* cycles that do not count */
#define A_MOMENT 1e-6

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
  double left = use[0] - burst[0];
  task->parts[0] = (struct share_part){fmax(burst[across], burst[0]), {burst[0]}};
  task->parts[1] = (struct share_part){fmax(rest, fmax(used, left)), {left}};
  if (across) {
    enum share_resource way = task->kind == COST_WRITE1 ? SHARE_OUT : SHARE_IN;
    task->parts[0].use[way] = burst[1];
    task->parts[1].use[way] = used;
  }
}

double
share_first(const struct cost *c, struct share_task task)
{
  measure(c, &task, false);
  double all = task.parts[0].use[0] + task.parts[1].use[0];
  return all > 0 ? task.parts[0].use[0] / all : 1;
}

double
share_alone(const struct cost *c, const struct share_task *task)
{
  return time_of(c, task, task->rank >= c->spes_per_chip, 1);
}

int
share_add(struct share *share, struct share_task task)
{
  if (share->n == SHARE_TASKS_MAX) {
    share->overfull = true;
    return 0;
  }
  if (task.nbytes > 0) {
    measure(share->cost, &task, task.rank >= share->cost->spes_per_chip);
  }
  share->tasks[share->n] = task;
  return (int)share->n++;
}

double
share_busy(const struct share *share)
{
  double use[SHARE_RESOURCES] = {0}, most = 0;
  for (unsigned k = 0; k < SHARE_RESOURCES; k++) {
    for (unsigned i = 0; i < share->n; i++) {
      use[k] += share->tasks[i].parts[0].use[k] + share->tasks[i].parts[1].use[k];
    }
    most = fmax(most, use[k]);
  }
  return most;
}

static bool
has_begun(const struct share_task *task, double now)
{
  return task->begin <= now && task->end == INFINITY;
}

static bool
is_across(const struct share *share, const struct share_task *task)
{
  return task->rank >= share->cost->spes_per_chip;
}

/* Find out whether TASK goes on at time NOW: the bursts of a chip are served in the order in which they begin. */
static void
find_equals(const struct share *share, struct share_task *task, double now)
{
  task->active = has_begun(task, now);
  task->equals = 0;
  for (unsigned i = 0; i < share->n; i++) {
    const struct share_task *other = &share->tasks[i];
    if (other->part == 0 && has_begun(other, now) && is_across(share, other) == is_across(share, task)) {
      task->equals += other->begin <= task->begin;
      task->active &= task->part > 0 || other->begin >= task->begin;
    }
  }
}

/* What tasks wait for: the q of each resource. Until one is busy all the time, bursts go on as if nobody streamed, since the
 * requests of a stream come in bursts too, which find their places between those of others. */
struct queues {
  double q[SHARE_RESOURCES];
  bool busy;
};

/* Tell whether all tasks that have started and not ended would keep a resource busy all the time. */
static bool
is_busy(const struct share *share, double now)
{
  double busy[SHARE_RESOURCES] = {0};
  for (unsigned i = 0; i < share->n; i++) {
    const struct share_task *task = &share->tasks[i];
    const struct share_part *burst = &task->parts[0], *rest = &task->parts[1];
    double time = task->lead + burst->alone + rest->alone;
    for (unsigned k = 0; k < SHARE_RESOURCES && task->start <= now && task->end == INFINITY && time > 0;
         k++) {
      busy[k] += (burst->use[k] + rest->use[k]) / time;
    }
  }
  return fmax(fmax(busy[SHARE_CONTROLLER], busy[SHARE_IN]), busy[SHARE_OUT]) > 1;
}

/* Return how long the part that TASK is in takes at this rate. */
static double
stretched(const struct share_task *task, const struct queues *queues)
{
  const struct share_part *part = &task->parts[task->part];
  if (task->part == 0 && !queues->busy) {
    return part->alone * task->equals;
  }
  double time = part->alone;
  for (unsigned k = 0; k < SHARE_RESOURCES; k++) {
    time += part->use[k] * queues->q[k];
  }
  return time;
}

/* Find the q of RESOURCE so that what it leads to is not overused, by Newton's method: the sum is convex, so that it comes
 * from below. */
static void
find_queue(const struct share *share, struct queues *queues, enum share_resource resource)
{
  double overuse = 1;
  queues->q[resource] = 0;
  for (unsigned round = 0; round < 20 && overuse > 1e-6; round++) {
    double sum = 0, slope = 0;
    for (unsigned i = 0; i < share->n; i++) {
      const struct share_task *task = &share->tasks[i];
      double use = task->parts[task->part].use[resource];
      if (task->active && (task->part > 0 || queues->busy) && use > 0) {
        double rate = use / stretched(task, queues);
        sum += rate;
        slope += rate * rate;
      }
    }
    overuse = sum - 1;
    queues->q[resource] += overuse > 0 ? overuse / slope : 0;
  }
}

/* Find out when task INDEX starts, INFINITY if what it waits for has not ended. */
static void
find_start(struct share *share, unsigned index)
{
  struct share_task *task = &share->tasks[index];
  double after = task->after == SHARE_AT_ONCE ? 0 : share->tasks[task->after].end;
  double also = task->also ? share->tasks[task->also - 1].end + task->also_delay : 0;
  task->start = fmax(fmax(after + task->delay, also), task->earliest);
  task->begin = task->start + task->lead;
}

static void
end_task(struct share *share, unsigned index, double now)
{
  share->tasks[index].end = now;
  for (unsigned i = 0; i < share->n; i++) {
    if (share->tasks[i].after == (int)index || share->tasks[i].also == (int)index + 1) {
      find_start(share, i);
    }
  }
}

/* Find out which tasks go on at NOW, how long they take for their parts, and when the first of them ends or another begins.
 * returns: that time. */
static double
plan(struct share *share, double now)
{
  struct queues queues = {.busy = is_busy(share, now)};
  double next = INFINITY;
  for (unsigned i = 0; i < share->n; i++) {
    find_equals(share, &share->tasks[i], now);
  }
  for (unsigned round = 0; round < ROUNDS; round++) {
    find_queue(share, &queues, SHARE_IN);
    find_queue(share, &queues, SHARE_OUT);
    find_queue(share, &queues, SHARE_CONTROLLER);
  }
  for (unsigned i = 0; i < share->n; i++) {
    struct share_task *task = &share->tasks[i];
    task->time = stretched(task, &queues);
    if (task->active) {
      next = fmin(next, now + task->left * task->time);
    } else if (task->begin > now) {
      next = fmin(next, task->begin);
    }
  }
  return next;
}

/* Let the tasks go on from NOW until something changes.
 * returns: when that is. */
static double
go_on(struct share *share, double now)
{
  double next = plan(share, now);
  for (unsigned i = 0; i < share->n; i++) {
    struct share_task *task = &share->tasks[i];
    task->left -= !task->active ? 0 : task->time > 0 ? (next - now) / task->time : 1;
    if (task->active && task->left * task->time < A_MOMENT) {
      task->left = 1;
      task->part++;
    }
    if (task->part == SHARE_PARTS && task->end == INFINITY) {
      end_task(share, i, next);
    }
  }
  return next;
}

bool
share_run(struct share *share)
{
  unsigned ended = 0;
  double now = 0;
  for (unsigned i = 0; i < share->n; i++) {
    struct share_task *task = &share->tasks[i];
    task->part = 0;
    task->left = 1;
    task->end = INFINITY;
  }
  for (unsigned i = 0; i < share->n; i++) {
    find_start(share, i);
  }
  for (unsigned round = 0; round < 16 * share->n && ended < share->n; round++) {
    now = go_on(share, now);
    ended = 0;
    for (unsigned i = 0; i < share->n; i++) {
      ended += share->tasks[i].end < INFINITY;
    }
  }
  return ended == share->n && !share->overfull;
}
