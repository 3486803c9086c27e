/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_model.h. */
#include "algos/cost/memory_model.h"

/* How often the queues are found, each with the others as they are then. */
enum { ROUNDS = 4 };

/* cycles that do not count */
#define A_MOMENT 1e-6

/* Return T(SPES) of TASK on chip 0, or ACROSS. */
static double
time_of(const struct cost *c, const struct memory_task *task, bool across, unsigned spes)
{
  enum cost_parameter kind = task->kind + across;
  unsigned n = spes > c->spes_per_chip ? c->spes_per_chip : spes < 1 ? 1 : spes;
  return c->parameter(c, kind, task->nbytes, cost_pack_movers((struct cost_movers){n, task->writes}));
}

/* Fill in the lead and the parts of TASK. From across it uses the controller as much as on its chip. */
static void
measure(const struct cost *c, struct memory_task *task, bool across)
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
  task->parts[0] = (struct memory_model_part){fmax(burst[across], burst[0]), {burst[0]}};
  task->parts[1] = (struct memory_model_part){fmax(rest, fmax(used, left)), {left}};
  if (across) {
    enum memory_resource way = task->kind == COST_WRITE1 ? MEMORY_MODEL_OUT : MEMORY_MODEL_IN;
    task->parts[0].use[way] = burst[1];
    task->parts[1].use[way] = used;
  }
}

double
memory_model_first(const struct cost *c, struct memory_task task)
{
  measure(c, &task, false);
  double all = task.parts[0].use[0] + task.parts[1].use[0];
  return all > 0 ? task.parts[0].use[0] / all : 1;
}

double
memory_model_alone(const struct cost *c, const struct memory_task *task)
{
  return time_of(c, task, task->rank >= c->spes_per_chip, 1);
}

void
memory_model_begin(struct memory_model *model, const struct cost *cost)
{
  model->cost = cost;
  model->n = 0;
  model->overfull = false;
}

int
memory_model_add(struct memory_model *model, struct memory_task task)
{
  if (model->n == MEMORY_MODEL_TASKS_MAX) {
    model->overfull = true;
    return 0;
  }
  if (task.nbytes > 0) {
    measure(model->cost, &task, task.rank >= model->cost->spes_per_chip);
  }
  model->tasks[model->n] = task;
  return (int)model->n++;
}

double
memory_model_busy(const struct memory_model *model)
{
  double use[MEMORY_MODEL_RESOURCES] = {0}, most = 0;
  for (unsigned k = 0; k < MEMORY_MODEL_RESOURCES; k++) {
    for (unsigned i = 0; i < model->n; i++) {
      use[k] += model->tasks[i].parts[0].use[k] + model->tasks[i].parts[1].use[k];
    }
    most = fmax(most, use[k]);
  }
  return most;
}

/* Tasks on their way. What they wait for is the q of each resource. Until one is busy all the time, bursts go on as if nobody
 * streamed, since the requests of a stream come in bursts too, which find their places between those of others. */
struct run {
  struct memory_model *model;
  double now;
  unsigned nopen, nactive;
  struct memory_task *open[MEMORY_MODEL_TASKS_MAX];   /* those that have not ended, in their order */
  struct memory_task *active[MEMORY_MODEL_TASKS_MAX]; /* those of them that go on now, in their order */
  unsigned equals[2];                                 /* bursts that are served together, on each chip */
  bool busy;                                          /* some resource is, all the time */
  double q[MEMORY_MODEL_RESOURCES];
};

static unsigned
chip_of(const struct run *run, const struct memory_task *task)
{
  return task->rank >= run->model->cost->spes_per_chip;
}

/* Find out which tasks go on now: the bursts of a chip are served in the order in which they begin. */
static void
find_active(struct run *run)
{
  double first[2] = {INFINITY, INFINITY};
  for (unsigned i = 0; i < run->nopen; i++) {
    const struct memory_task *task = run->open[i];
    if (task->begin <= run->now && task->part == 0) {
      unsigned chip = chip_of(run, task);
      first[chip] = task->begin < first[chip] ? task->begin : first[chip];
    }
  }
  run->nactive = run->equals[0] = run->equals[1] = 0;
  for (unsigned i = 0; i < run->nopen; i++) {
    struct memory_task *task = run->open[i];
    unsigned chip = chip_of(run, task);
    if (task->begin <= run->now && (task->part > 0 || task->begin == first[chip])) {
      run->active[run->nactive++] = task;
      run->equals[chip] += task->part == 0;
    }
  }
}

/* Tell whether all tasks that have started and not ended would keep a resource busy all the time. */
static bool
is_busy(const struct run *run)
{
  double busy[MEMORY_MODEL_RESOURCES] = {0};
  for (unsigned i = 0; i < run->nopen; i++) {
    const struct memory_task *task = run->open[i];
    for (unsigned k = 0; k < MEMORY_MODEL_RESOURCES && task->start <= run->now; k++) {
      busy[k] += task->busy[k];
    }
  }
  return fmax(fmax(busy[MEMORY_MODEL_CONTROLLER], busy[MEMORY_MODEL_IN]), busy[MEMORY_MODEL_OUT]) > 1;
}

/* Return how long the part that TASK is in takes at this rate. */
static double
stretched(const struct run *run, const struct memory_task *task)
{
  const struct memory_model_part *part = &task->parts[task->part];
  if (task->part == 0 && !run->busy) {
    return part->alone * run->equals[chip_of(run, task)];
  }
  double time = part->alone;
  for (unsigned k = 0; k < MEMORY_MODEL_RESOURCES; k++) {
    time += part->use[k] * run->q[k];
  }
  return time;
}

/* Find the q of RESOURCE so that what it leads to is not overused, by Newton's method: the sum is convex, so that it comes
 * from below. */
static void
find_queue(struct run *run, enum memory_resource resource)
{
  double overuse = 1;
  run->q[resource] = 0;
  for (unsigned round = 0; round < 20 && overuse > 1e-6; round++) {
    double sum = 0, slope = 0;
    for (unsigned i = 0; i < run->nactive; i++) {
      const struct memory_task *task = run->active[i];
      double use = task->parts[task->part].use[resource];
      if ((task->part > 0 || run->busy) && use > 0) {
        double rate = use / stretched(run, task);
        sum += rate;
        slope += rate * rate;
      }
    }
    overuse = sum - 1;
    run->q[resource] += overuse > 0 ? overuse / slope : 0;
  }
}

/* Find the queues by turns, each with the others as they are then, until all agree or it was often enough. */
static void
find_queues(struct run *run)
{
  static const enum memory_resource order[MEMORY_MODEL_RESOURCES] = {MEMORY_MODEL_IN, MEMORY_MODEL_OUT,
                                                                     MEMORY_MODEL_CONTROLLER};
  unsigned agreeing = 0;
  for (unsigned k = 0; k < MEMORY_MODEL_RESOURCES; k++) {
    run->q[k] = 0;
  }
  for (unsigned i = 0; i < ROUNDS * MEMORY_MODEL_RESOURCES && agreeing < MEMORY_MODEL_RESOURCES; i++) {
    double *q = &run->q[order[i % MEMORY_MODEL_RESOURCES]], before = *q;
    find_queue(run, order[i % MEMORY_MODEL_RESOURCES]);
    agreeing = *q == before ? agreeing + 1 : 1;
  }
}

/* Find out when TASK starts, INFINITY if what it waits for has not ended. */
static void
find_start(const struct memory_model *model, struct memory_task *task)
{
  double after = task->after == MEMORY_MODEL_AT_ONCE ? 0 : model->tasks[task->after].end;
  double also = task->also ? model->tasks[task->also - 1].end + task->also_delay : 0;
  task->start = fmax(fmax(after + task->delay, also), task->earliest);
  task->begin = task->start + task->lead;
}

static void
end_task(struct run *run, struct memory_task *ended)
{
  int index = (int)(ended - run->model->tasks);
  unsigned nopen = 0;
  ended->end = run->now;
  for (unsigned i = 0; i < run->nopen; i++) {
    struct memory_task *task = run->open[i];
    if (task->after == index || task->also == index + 1) {
      find_start(run->model, task);
    }
    if (task != ended) {
      run->open[nopen++] = task;
    }
  }
  run->nopen = nopen;
}

/* Find out which tasks go on now and how long they take for their parts.
 * returns: when the first of them ends or another begins; INFINITY: never. */
static double
plan(struct run *run)
{
  double next = INFINITY;
  run->busy = is_busy(run);
  find_active(run);
  find_queues(run);
  for (unsigned i = 0; i < run->nactive; i++) {
    struct memory_task *task = run->active[i];
    task->time = stretched(run, task);
    next = fmin(next, run->now + task->left * task->time);
  }
  for (unsigned i = 0; i < run->nopen; i++) {
    double begin = run->open[i]->begin;
    next = begin > run->now && begin < next ? begin : next;
  }
  return next;
}

/* Let the tasks go on until something changes.
 * returns: whether that ever happens. */
static bool
go_on(struct run *run)
{
  double next = plan(run), passed = next - run->now;
  if (next == INFINITY) {
    return false;
  }
  run->now = next;
  for (unsigned i = 0; i < run->nactive; i++) {
    struct memory_task *task = run->active[i];
    task->left -= task->time > 0 ? passed / task->time : 1;
    if (task->left * task->time < A_MOMENT) {
      task->left = 1;
      task->part++;
    }
    if (task->part == MEMORY_MODEL_PARTS) {
      end_task(run, task);
    }
  }
  return true;
}

/* Prepare TASK, which waits only for tasks before it. */
static void
prepare(const struct memory_model *model, struct memory_task *task)
{
  const struct memory_model_part *burst = &task->parts[0], *rest = &task->parts[1];
  double time = task->lead + burst->alone + rest->alone;
  task->part = 0;
  task->left = 1;
  task->end = INFINITY;
  for (unsigned k = 0; k < MEMORY_MODEL_RESOURCES; k++) {
    task->busy[k] = time > 0 ? (burst->use[k] + rest->use[k]) / time : 0;
  }
  find_start(model, task);
}

bool
memory_model_run(struct memory_model *model)
{
  struct run run;
  run.model = model;
  run.now = 0;
  run.nopen = model->n;
  for (unsigned i = 0; i < model->n; i++) {
    run.open[i] = &model->tasks[i];
    prepare(model, run.open[i]);
  }
  bool more = true;
  for (unsigned round = 0; round < 16 * model->n && run.nopen > 0 && more; round++) {
    more = go_on(&run);
  }
  return run.nopen == 0 && !model->overfull;
}
