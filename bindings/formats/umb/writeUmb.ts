import type { Annotation, Dtmc } from '../../model/index.js';
import { gzip } from '../compression.js';
import { encodeBits, encodeNumbers } from './encode.js';
import { identifiersFor } from './identifiers.js';
import { GROUP, UNKNOWN } from './names.js';
import { type TarEntry, writeTar } from './tar.js';
import { writeValuations } from './valuations.js';

export interface WriteUmbOptions {
  /** Compress with gzip. Default false. */
  readonly gzip?: boolean;
  /** Recorded as the time of export. Default: none, so that the same model gives the same bytes. */
  readonly creationDate?: Date;
}

const DOUBLE = { type: 'double', size: 64 } as const;
const UINT = { type: 'uint', size: 64 } as const;
const BOOL = { type: 'bool', size: 1 } as const;

/**
 * Writes a Markov chain as a UMB file. Labels become atomic propositions, annotations go to the group `foreguard`,
 * `parameters` to `file-data.parameters`; `warnings` are not kept. An unknown state is a choice without branches, marked in
 * the annotation `foreguard/unknown`. The same model and options give the same bytes within one runtime; without `gzip`,
 * everywhere.
 */
export async function writeUmb(model: Dtmc, options: WriteUmbOptions = {}): Promise<Uint8Array> {
  const files: TarEntry[] = [];
  // The default of one branch a choice is not enough: rows have several branches, or none.
  files.push(['choice-to-branches.bin', encodeNumbers(model.rowStart, 'uint')]);
  files.push(['branch-to-target.bin', encodeNumbers(model.columns, 'uint')]);
  files.push(['branch-to-probability.bin', encodeNumbers(model.values, 'double')]);
  const initial = new Uint8Array(Math.ceil(model.states / 64) * 8);
  for (const state of model.initial) initial[state >>> 3] |= 1 << (state & 7);
  files.push(['state-is-initial.bin', initial]);

  const annotations = Object.fromEntries(
    Object.entries({
      aps: aps(model, files),
      rewards: rewards(model, files),
      [GROUP]: own(model, files),
    }).filter(([, group]) => Object.keys(group).length > 0),
  );
  const valuations =
    model.valuations && model.valuations.variables.length > 0
      ? writeValuations(model.valuations, model.states, 'states')
      : undefined;
  if (valuations) files.push(...valuations.files);

  const index = {
    'format-version': 1,
    'format-revision': 0,
    'file-data': {
      tool: 'Foreguard',
      ...(options.creationDate && { 'creation-date': Math.floor(options.creationDate.getTime() / 1000) }),
      ...(model.parameters !== undefined && { parameters: model.parameters }),
    },
    'transition-system': {
      time: 'discrete',
      '#players': 0,
      '#states': model.states,
      '#initial-states': model.initial.length,
      '#choices': model.states,
      '#choice-actions': 0,
      '#branches': model.columns.length,
      '#branch-actions': 0,
      '#observations': 0,
      'branch-probability-type': DOUBLE,
    },
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(valuations && { valuations: { states: valuations.description } }),
  };
  const json = new TextEncoder().encode(`${JSON.stringify(index, null, 2)}\n`);
  const archive = writeTar([['index.json', json], ...files]);
  return options.gzip ? gzip(archive) : archive;
}

type Group = Record<string, object>;

function aps(model: Dtmc, files: TarEntry[]): Group {
  const ids = identifiersFor([...model.labels.keys()]);
  const entries = [...model.labels].map(([alias, members], i): [string, object] => {
    files.push([`annotations/aps/${ids[i]}/states/values.bin`, encodeBits(members)]);
    return [ids[i], { alias, 'applies-to': ['states'], type: BOOL }];
  });
  return Object.fromEntries(entries);
}

function rewards(model: Dtmc, files: TarEntry[]): Group {
  const structures = model.rewards ?? [];
  const ids = identifiersFor(structures.map(({ name }) => name));
  const entries = structures.map(({ name, states, branches }, i): [string, object] => {
    const folder = `annotations/rewards/${ids[i]}`;
    if (states) files.push([`${folder}/states/values.bin`, encodeNumbers(states, 'double')]);
    if (branches) files.push([`${folder}/branches/values.bin`, encodeNumbers(branches, 'double')]);
    const appliesTo = [...(states ? ['states'] : []), ...(branches ? ['branches'] : [])];
    return [ids[i], { alias: name, 'applies-to': appliesTo, type: DOUBLE }];
  });
  return Object.fromEntries(entries);
}

/** Annotations of states and of branches that share a name share an identifier. */
function own(model: Dtmc, files: TarEntry[]): Group {
  const byName = new Map<string, Annotation[]>();
  for (const annotation of model.annotations ?? []) {
    byName.set(annotation.name, [...(byName.get(annotation.name) ?? []), annotation]);
  }
  const ids = identifiersFor([...byName.keys()], [UNKNOWN]);
  const entries = [...byName].map(([alias, members], i): [string, object] => {
    for (const { appliesTo, type, values } of members) {
      files.push([`annotations/${GROUP}/${ids[i]}/${appliesTo}/values.bin`, encodeNumbers(values, type)]);
    }
    const { description, type } = members[0];
    return [
      ids[i],
      {
        alias,
        ...(description !== undefined && { description }),
        'applies-to': members.map(({ appliesTo }) => appliesTo),
        type: type === 'uint' ? UINT : DOUBLE,
      },
    ];
  });
  if (model.unknown) {
    files.push([`annotations/${GROUP}/${UNKNOWN}/states/values.bin`, encodeBits(model.unknown)]);
    const description = 'states without a row, about which the data say nothing';
    entries.push([UNKNOWN, { description, 'applies-to': ['states'], type: BOOL }]);
  }
  return Object.fromEntries(entries);
}
