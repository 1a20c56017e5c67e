/**
 * How much is learnt from and judged. Runs of the three seeds are independent; how the agent takes being blocked was settled on runs of `choosing`, which
 * nothing here is reported of.
 */
const seeds = { learning: 31, choosing: 2027, judging: 7919 };

export const planOf = (short) => ({
  seeds,
  /** Runs learnt from, a task. */
  learnt: short ? 150 : 1000,
  /** Runs judged on, a task, for each setting of the table. */
  judged: short ? 60 : 1000,
  /** The same for each point of the curve. */
  curve: short ? 15 : 200,
  curveThresholds: short
    ? [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98]
    : Array.from({ length: 49 }, (_, i) => (i + 1) / 50),
  /** The paper's. */
  thresholds: [0.1, 0.3, 0.5, 0.7],
  /** How often a blocked agent makes use of what it is told: the one assumption that the table rests on, varied. */
  follow: short ? [0, 0.8] : [0, 0.25, 0.5, 0.8, 1],
  /** Agents that are not the one learnt from, and where they are judged. */
  changed: [
    { name: 'as learnt from', agent: {} },
    {
      name: 'hasty: skips and cuts corners half again as often, and notices nothing',
      agent: { haste: 1.5, attention: 0 },
    },
    { name: 'deaf: rarely heeds a warning', agent: { heed: 0.15 } },
    { name: 'hasty and deaf', agent: { haste: 1.5, attention: 0, heed: 0.15 } },
  ],
  changedAt: 0.3,
  /** Learnt from so many runs a task only. */
  fewer: short ? [50] : [25, 50, 100, 200, 500],
  /** Where `follow` and `fewer` are varied. */
  variedAt: 0.1,
  /** Draws of whole tasks, for intervals of areas under the ROC curve. */
  draws: short ? 100 : 1000,
  folds: 5,
});
