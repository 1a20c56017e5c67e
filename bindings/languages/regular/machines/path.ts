import { characterSet, isInSet } from '../characterSet.js';
import { type Machine, NONE } from '../machine.js';

/** Most names of a folder, as `isUnder` reads it. */
export const MOST_NAMES = 100;

export const SLASH = characterSet('/');
export const DOT = characterSet('.');
export const REFUSED = characterSet('\0\\');
export const PERCENT = characterSet('%');

/** A folder as `isUnder` resolves it. */
export interface Folder {
  readonly absolute: boolean;
  readonly names: readonly string[];
}

/** Reads a folder for `isInFolders`; undefined if `isUnder` has no value of it, or it has percent signs. */
export function readFolder(folder: string): Folder | undefined {
  if (folder === '' || folder.startsWith('~') || /[\0\\%]/.test(folder)) return undefined;
  const names: string[] = [];
  for (const name of folder.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.length > MOST_NAMES ? undefined : { absolute: folder.startsWith('/'), names };
}

/** A predicate of `extension(text)`. */
export function ofExtension(inner: Machine): Machine<string> {
  // The name so far (empty, one dot, two dots, or another), and the state of the inner machine after what follows its last dot; none if there is no such dot.
  const states = new Map<string, State>();
  interface State {
    readonly name: 'empty' | 'dot' | 'dots' | 'other';
    readonly after: number | string | null;
    readonly percent: boolean;
    /** What the last whole name of the path gives, if the path ends in slashes and dots; null before any name. */
    readonly before: { readonly isUp: boolean; readonly after: number | string | null } | null;
  }
  const keep = (state: State): string => {
    const key = JSON.stringify(state);
    states.set(key, state);
    return key;
  };
  const DEAD = 'none';
  const START = 'start';
  const first: State = { name: 'empty', after: null, percent: false, before: null };
  const lastName = (state: State): State['before'] => {
    if (state.name === 'empty' || state.name === 'dot') return state.before;
    return { isUp: state.name === 'dots', after: state.after };
  };
  return {
    sets: [...inner.sets, SLASH, DOT, REFUSED, PERCENT],
    start: START,
    next: (key, code) => {
      if (key === DEAD || isInSet(REFUSED, code)) return DEAD;
      const state = key === START ? first : states.get(key)!;
      if (isInSet(SLASH, code))
        return keep({ name: 'empty', after: null, percent: state.percent, before: lastName(state) });
      const percent = state.percent || isInSet(PERCENT, code);
      const { before, name } = state;
      if (isInSet(DOT, code)) {
        if (name === 'empty') return keep({ name: 'dot', after: null, percent, before });
        const next = name === 'dot' ? 'dots' : 'other';
        return keep({ name: next, after: inner.start, percent, before });
      }
      const after = state.after === null ? null : inner.next(state.after, code);
      return keep({ name: 'other', after, percent, before });
    },
    outcomes: (key) => {
      if (key === DEAD || key === START) return NONE;
      const last = lastName(states.get(key)!);
      if (last === null) return inner.outcomes(inner.start);
      return last.isUp ? NONE : inner.outcomes(last.after ?? inner.start);
    },
    through: 'extension',
    doubts: (key) => key !== DEAD && key !== START && states.get(key)!.percent,
  };
}
