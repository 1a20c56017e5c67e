import { characterSet, codePointsOf, isInSet } from '../characterSet.js';
import { FALSE, type Machine, NONE, TRUE } from '../machine.js';

/** Most names of a folder, as `isUnder` reads it. */
const MOST_NAMES = 100;

const SLASH = characterSet('/');
const DOT = characterSet('.');
const TILDE = characterSet('~');
const REFUSED = characterSet('\0\\');
const PERCENT = characterSet('%');

/** A folder as `isUnder` resolves it. */
export interface Folder {
  readonly absolute: boolean;
  readonly names: readonly string[];
}

/** Reads a folder for `isInFolder`; undefined if `isUnder` has no value of it, or it has percent signs. */
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

/** Further names that are counted. */
const MOST_COUNTED = 8;

/**
 * `isUnder(text, folder)`. A path's place is the number of names that it shares with the folder from the start on, the number of further ones, and what the name
 * that it ends in is so far: nothing, one dot, two dots, the beginning of the folder's next name, or another.
 *
 * Two things are not followed. Percent signs are read as they stand; where they would be read otherwise when resolved, `isUnder` has no value. And further names
 * are counted up to `MOST_COUNTED`; a path that goes deeper and then up again may be anywhere.
 */
export function isInFolder(folder: Folder): Machine<string> {
  const names = folder.names.map(codePointsOf);
  const { length } = names;
  interface Place {
    /** Names shared with the folder from the start, and others after them, of which there may be more than `MOST_COUNTED`. */
    readonly shared: number;
    readonly more: number;
    readonly isDeep: boolean;
    /** The name so far: dots alone, -1 for another; and as the beginning of the folder's next name, its length, -1 for another. */
    readonly dots: 0 | 1 | 2 | -1;
    readonly part: number;
    readonly percent: boolean;
  }
  const NOWHERE = 'none';
  const ANYWHERE = 'any';
  const START = 'start';
  const places = new Map<string, Place>();
  const keep = (place: Place): string => {
    const { shared, more, isDeep, dots, part, percent } = place;
    const key = `${shared} ${more} ${isDeep ? 1 : 0} ${dots} ${part} ${percent ? 1 : 0}`;
    if (!places.has(key)) places.set(key, place);
    return key;
  };
  /** The place once the name has ended. */
  const ended = (place: Place): Place | typeof NOWHERE | typeof ANYWHERE => {
    const { shared, more, isDeep, dots, part } = place;
    const fresh = { ...place, dots: 0, part: 0 } as const;
    if (dots === 0 || dots === 1) return fresh;
    if (dots === 2) {
      if (isDeep) return ANYWHERE;
      if (more > 0) return { ...fresh, more: more - 1 };
      return shared === 0 ? NOWHERE : { ...fresh, shared: shared - 1 };
    }
    const isNext = more === 0 && shared < length && part === names[shared].length;
    if (isNext) return { ...fresh, shared: shared + 1 };
    return more === MOST_COUNTED ? { ...fresh, isDeep: true } : { ...fresh, more: more + 1 };
  };
  /** The place after one more code point of a name. */
  const grown = (place: Place, code: number): Place => {
    const { shared, more, part } = place;
    const isDot = isInSet(DOT, code);
    const dots = isDot && place.dots >= 0 && place.dots < 2 ? ((place.dots + 1) as 1 | 2) : -1;
    const follows = more === 0 && shared < length && part >= 0 && names[shared][part] === code;
    return {
      ...place,
      dots,
      part: follows ? part + 1 : -1,
      percent: place.percent || isInSet(PERCENT, code),
    };
  };
  return {
    sets: [
      SLASH,
      DOT,
      TILDE,
      REFUSED,
      PERCENT,
      ...[...new Set(folder.names.join(''))].map((one) => characterSet(one)),
    ],
    start: START,
    next: (state, code) => {
      if (state === NOWHERE || isInSet(REFUSED, code)) return NOWHERE;
      if (state === ANYWHERE) return ANYWHERE;
      const isSlash = isInSet(SLASH, code);
      if (state === START) {
        if (isInSet(TILDE, code) || isSlash !== folder.absolute) return NOWHERE;
        const first: Place = { shared: 0, more: 0, isDeep: false, dots: 0, part: 0, percent: false };
        return keep(isSlash ? first : grown(first, code));
      }
      const place = places.get(state)!;
      if (!isSlash) return keep(grown(place, code));
      const after = ended(place);
      return typeof after === 'string' ? after : keep(after);
    },
    outcomes: (state) => {
      if (state === NOWHERE || state === START) return NONE;
      const after = state === ANYWHERE ? ANYWHERE : ended(places.get(state)!);
      if (after === NOWHERE) return NONE;
      if (after === ANYWHERE) return FALSE | TRUE | NONE;
      return after.shared === length ? TRUE : FALSE;
    },
    through: `isUnder ${JSON.stringify(folder)}`,
    doubts: (state) => {
      const place = places.get(state);
      return place?.percent === true;
    },
    exactBelow: 2 * MOST_NAMES,
  };
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
