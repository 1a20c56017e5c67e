import { BitSet } from '../../../solvers/kernel/index.js';
import { createDtmc, type Dtmc, type Mdp } from '../../../solvers/model/index.js';
import { readLearntMdp } from '../learntView.js';

/**
 * The chain of the agent as it acted: in each state a learnt decision process takes each action as often as the agent did, P(s, t) = Σ_a
 * policy(a | s) P(s, a, t). Without smoothing, it equals the chain learnt from the same traces.
 *
 * @returns a chain in the layout of `readLearntChain`, in which states never left are unknown unless they were smoothed. The order of draws
 * is known only for single actions and is not kept: certificates are computed from the decision process.
 * @throws InvalidModelError as `readLearntMdp`
 */
export function agentChain(mdp: Mdp): Dtmc {
  const { model, parameters, policy, counts, start, end, draws } = readLearntMdp(mdp);
  const { rowGroupStart, rowStart, columns, values, states } = model;
  const smoothed = parameters.learning.smoothing > 0;
  const isUnknown = (s: number): boolean => s !== start && s !== end && draws[s] === 0 && !smoothed;
  const starts = new Uint32Array(states + 1);
  const mixed = { columns: [] as number[], values: [] as number[], counts: [] as number[] };
  const probability = new Float64Array(states);
  const count = new Float64Array(states);
  for (let s = 0; s < states; s++) {
    const targets = new Set<number>();
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1] && !isUnknown(s); row++) {
      for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
        targets.add(columns[i]);
        probability[columns[i]] += policy[row] * values[i];
        count[columns[i]] += counts[i];
      }
    }
    for (const t of [...targets].sort((a, b) => a - b)) {
      mixed.columns.push(t);
      mixed.values.push(Math.min(1, probability[t]));
      mixed.counts.push(count[t]);
      probability[t] = count[t] = 0;
    }
    starts[s + 1] = mixed.columns.length;
  }
  const unknown = BitSet.where(states, isUnknown);
  const { initial, labels, valuations } = model;
  return createDtmc({
    rowStart: starts,
    columns: Uint32Array.from(mixed.columns),
    values: Float64Array.from(mixed.values),
    initial,
    labels,
    ...(valuations && { valuations }),
    ...(unknown.count() > 0 && { unknown }),
    annotations: [
      {
        name: 'count',
        description: 'how often the transition was seen',
        appliesTo: 'branches',
        type: 'uint',
        values: Float64Array.from(mixed.counts),
      },
      {
        name: 'draws',
        description: 'how often the state was left',
        appliesTo: 'states',
        type: 'uint',
        values: draws,
      },
    ],
    parameters: model.parameters,
  });
}
