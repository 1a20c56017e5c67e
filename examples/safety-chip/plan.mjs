/** How much is run. Each cell of a table is one way under sets of one size; all ways meet the same sets, houses and seeds. */
export const planOf = (short) => ({
  seeds: { sets: 31, runs: 7919, scale: 17, learning: 2027 },
  /** Sizes of the sets of constraints. */
  sizes: short ? [1, 5, 20] : [1, 2, 3, 4, 5, 10, 20],
  /** Runs a cell, spread over the tasks. */
  runs: short ? 36 : 2000,
  /** Recorded runs a task from which a guard is learnt. */
  learnt: short ? 100 : 1000,
  /** Houses a task: what a scene leaves to chance differs. */
  houses: short ? 1 : 4,
  /** Numbers of rules for the table of scale, over a house with so many rooms. */
  scale: short ? [1, 5, 20] : [1, 2, 5, 10, 20, 50, 100, 200],
  rooms: 20,
  decisions: short ? 200 : 5000,
});
