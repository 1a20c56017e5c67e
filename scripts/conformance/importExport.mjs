/**
 * Lines such as `-importmodel dice.all -exportmodel dice.tra,lab`: what is written must be what stands in the file named, but for the
 * order of lines and of choices, and for how a number is written. A model that was built is renumbered first, for other tools list
 * states by their variables and not as they are found.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseFraction } from './expectation.mjs';

const EXTENSIONS = ['tra', 'lab', 'sta', 'srew', 'trew'];

/** Which files a name such as `dice.all`, `dice.tra,lab` or `dice.tra.gz` means: { base, extensions, suffix }. */
export function expandName(api, name) {
  const form = /:(matlab|rows|mrmc|dot|dd)/.exec(name)?.[1];
  if (form !== undefined) throw new api.NotSupportedError(`files in the form "${form}" are not written`);
  const [, stem, suffix = ''] = /^(.*?)(\.gz)?$/.exec(name.split(':')[0]);
  const [, base, list = ''] = /^(.*?)(?:\.([^.]*))?$/.exec(stem);
  const extensions = list.split(',').flatMap((part) => (part === 'all' ? EXTENSIONS : [part]));
  const odd = extensions.find((extension) => !EXTENSIONS.includes(extension));
  if (odd !== undefined) throw new api.NotSupportedError(`files of the form .${odd} are not read or written`);
  return { base, extensions, suffix };
}

/** Reads the model that the imports of a line name. */
export function importModel(api, directory, imports) {
  const [, combined] = imports.find(([what, name]) => what === 'model' && name.endsWith('.pexp')) ?? [];
  if (combined !== undefined) {
    const path = join(directory, combined);
    if (!existsSync(path)) throw new api.NotSupportedError('a file to import is absent (.pexp)');
    return api.readCombined(readFileSync(path, 'utf8'), { source: combined });
  }
  const texts = {};
  let source;
  for (const [what, name] of imports) {
    const named = { trans: 'tra', states: 'sta', labels: 'lab', staterewards: 'srew', transrewards: 'trew' }[
      what
    ];
    if (what !== 'model' && named === undefined)
      throw new api.NotSupportedError(`-import${what} is not supported`);
    const { base, extensions, suffix } = expandName(api, name);
    source ??= join(directory, `${base}.tra`);
    for (const extension of named ? [named] : extensions) {
      const found = filesOf(join(directory, base), extension, suffix);
      if (found.length === 0 && (extension === 'tra' || !/\ball\b/.test(name))) {
        throw new api.NotSupportedError(`a file to import is absent (.${extension})`);
      }
      if (found.length > 0) texts[extension] = extension.endsWith('rew') ? found : found[0];
    }
  }
  return api.readExplicit({ source, ...texts });
}

/** `x.srew`, or `x1.srew`, `x2.srew`, … for several reward structures. */
function filesOf(base, extension, suffix = '') {
  const read = (path) => (suffix === '.gz' ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString();
  const path = `${base}.${extension}${suffix}`;
  if (existsSync(path)) return [read(path)];
  const found = [];
  while (existsSync(`${base}${found.length + 1}.${extension}${suffix}`)) {
    found.push(read(`${base}${found.length + 1}.${extension}${suffix}`));
  }
  return found;
}

/**
 * Compares what is written with every file that an export names.
 *
 * @param built Whether the model was built from source, with its `variables`
 * @returns [{ name, outcome, detail }]
 */
export function compareExports(api, directory, exports, model, variables) {
  const valuations = variables && api.valuationsOf(variables, model.states);
  const withVariables = valuations ? { ...model, valuations } : model;
  const written = api.writeExplicit(withVariables);
  const numbers = valuations && sortedNumbers(valuations, model.states);
  return exports.flatMap(([what, name]) => {
    if (what !== 'model') {
      return [{ name: `export${what} ${name}`, outcome: 'unsupported', detail: `-export${what}` }];
    }
    if (name.endsWith('.pexp')) {
      const path = join(directory, name);
      if (!existsSync(path)) return [];
      const combined = api.writeCombined(withVariables);
      return compareCombined(readFileSync(path, 'utf8'), combined, numbers).map((verdict) => ({
        ...verdict,
        name: `${name}, ${verdict.name}`,
      }));
    }
    const { base, extensions, suffix } = expandName(api, name);
    return extensions.flatMap((extension) => {
      const own = [written[extension] ?? []].flat();
      return filesOf(join(directory, base), extension, suffix).map((expected, i) => {
        const file = `${base}.${extension}${i > 0 ? ` ${i + 1}` : ''}`;
        return { name: file, ...compareTexts(expected, own[i], extension, numbers) };
      });
    });
  });
}

/** Holds a combined file against another, section by section. */
function compareCombined(expected, found, numbers) {
  const own = sectionsOf(found);
  return [...sectionsOf(expected)].map(([name, text]) => {
    const extension = [
      [/Transitions/, 'tra'],
      [/States/, 'sta'],
      [/Labels/, 'lab'],
      [/State rewards/, 'srew'],
    ].find(([pattern]) => pattern.test(name))?.[1];
    return { name, ...compareTexts(text, own.get(name), extension ?? 'trew', numbers) };
  });
}

/** The sections of a combined file by what they hold; those of several reward structures are numbered. */
function sectionsOf(text) {
  const sections = new Map();
  for (const section of text.split(/\n(?=#)(?<!(?:^|\n)#[^\n]*\n)/)) {
    const title = section.match(/^# (?!Reward structure).*/m)?.[0] ?? '';
    let name = title;
    for (let i = 2; sections.has(name); i++) name = `${title} (${i})`;
    sections.set(name, section);
  }
  return sections;
}

/** Holds what was written against a file: { outcome, detail }. */
function compareTexts(expected, found, extension, numbers) {
  const unsupported = (detail) => ({ outcome: 'unsupported', detail });
  if (found === undefined && extension === 'sta')
    return unsupported('variables that no file gave are not invented');
  if (/^# Transitions \(LTS\)/.test(expected))
    return unsupported('an LTS is written as the MDP it is read as');
  const difference = firstDifference(
    canonical(expected, extension),
    found === undefined ? undefined : canonical(found, extension, numbers),
  );
  if (difference === undefined) return { outcome: 'passed', detail: 'the same' };
  const withoutActions = expected.replace(/^(\d+ \d+ \S+) \S+$/gm, '$1');
  const isSame =
    extension === 'tra' &&
    /^# Transitions \(I?DTMC\)/.test(expected) &&
    found !== undefined &&
    firstDifference(canonical(withoutActions, extension), canonical(found, extension, numbers)) === undefined;
  return isSame ? unsupported('actions of chains are not kept') : { outcome: 'failed', detail: difference };
}

/** State numbers in the order of their variables. */
function sortedNumbers({ values }, states) {
  const order = Array.from({ length: states }, (_, state) => state).sort((a, b) => {
    const column = values.find((column) => column[a] !== column[b]);
    return column ? Number(column[a]) - Number(column[b]) : 0;
  });
  const numbers = new Array(states);
  order.forEach((state, number) => {
    numbers[state] = number;
  });
  return numbers;
}

/** Lines of a file in a form and an order that do not depend on how it was written. */
export function canonical(text, extension, numbers) {
  const renumber = (state) => (numbers ? String(numbers[Number(state)]) : state);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [header, ...rest] = lines.map((line) => line.trim());
  if (extension === 'sta' || extension === 'lab') {
    return [header, ...rest.map((line) => line.replace(/^\d+/, renumber)).sort()];
  }
  const withChoices = extension !== 'srew' && header.split(/\s+/).length > 2;
  const rows = new Map();
  for (const line of rest) {
    const words = line.split(/\s+/);
    const state = renumber(words[0]);
    const key = withChoices ? `${state} ${words[1]}` : state;
    const tail = words.slice(extension === 'srew' ? 1 : withChoices ? 2 : 1);
    if (extension !== 'srew') tail[0] = renumber(tail[0]);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(tail.map(canonicalNumber).join(' '));
  }
  // Choices count by what they do, not by their number.
  return [
    header,
    ...[...rows].map(([key, row]) => `${key.split(' ')[0]} -> ${row.sort().join('; ')}`).sort(),
  ];
}

function canonicalNumber(word) {
  const [, low, high] = /^\[(.*),(.*)\]$/.exec(word) ?? [];
  if (low !== undefined) return `[${canonicalNumber(low)},${canonicalNumber(high)}]`;
  const value = parseFraction(word);
  if (value === undefined) return word;
  // The last two digits depend on the order in which doubles are multiplied.
  return String(Number((Number(value.numerator) / Number(value.denominator)).toPrecision(15)));
}

function firstDifference(expected, found) {
  if (found === undefined) return 'it was not written';
  const at = expected.findIndex((line, i) => line !== found[i]);
  if (at >= 0) return `expected ${expected[at]}, found ${found[at] ?? 'the end'}`;
  return found.length > expected.length ? `expected the end, found ${found[expected.length]}` : undefined;
}
