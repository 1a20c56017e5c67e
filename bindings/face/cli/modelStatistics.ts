import type { Model } from '../../solvers/model/index.js';
import { countComponents } from './countComponents.js';
import { plural } from './terminal.js';

/** Number of transitions up to which components are always counted; it takes some ten milliseconds. */
const QUICKLY_COUNTED = 1_000_000;

export interface ModelStatistics {
  readonly type: Model['type'];
  readonly states: number;
  readonly choices: number;
  readonly transitions: number;
  /** Strongly connected components, if they were counted. */
  readonly components?: number;
  readonly initial: readonly number[];
  readonly warnings?: readonly string[];
}

/** @param components Count components whatever the number of transitions */
export function modelStatistics(model: Model, components: boolean): ModelStatistics {
  const { type, states, columns, initial, warnings } = model;
  return {
    type,
    states,
    choices: model.rowStart.length - 1,
    transitions: columns.length,
    ...((components || columns.length <= QUICKLY_COUNTED) && { components: countComponents(model) }),
    initial,
    ...(warnings?.length ? { warnings } : {}),
  };
}

/** @param nameOf The text of a state */
export function statisticsAsText(
  { type, states, choices, transitions, components, initial }: ModelStatistics,
  nameOf: (state: number) => string,
): string {
  const counts = [
    plural(states, 'state'),
    plural(choices, 'choice'),
    plural(transitions, 'transition'),
    ...(components === undefined ? [] : [plural(components, 'component')]),
  ];
  const shown = initial.slice(0, 5).map(nameOf).join(', ');
  return `${type}: ${counts.join(', ')}, initial ${shown}${initial.length > 5 ? ', …' : ''}`;
}
