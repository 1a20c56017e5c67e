import { NotSupportedError } from '../../../base/errors.js';
import { type ActionNames, type Annotation, type Model, NO_ACTION } from '../../model/index.js';
import { gzip } from '../compression.js';
import { encodeBits, encodeNumbers, encodeStrings, encodeUint32s } from './encode.js';
import { identifiersFor } from './identifiers.js';
import { GROUP, UNKNOWN } from './names.js';
import { type TarEntry, writeTar } from './tar.js';
import { writeValuations } from './valuations.js';

/** Options for packing a UMB file. */
export interface WriteUmbOptions {
  /** Compress with gzip. Default false. */
  readonly gzip?: boolean;
  /** The recorded time of export. Default: none, so that the same model gives the same bytes. */
  readonly creationDate?: Date;
}

const DOUBLE = { type: 'double', size: 64 } as const;
const INTERVAL = { type: 'double-interval', size: 128 } as const;
const UINT = { type: 'uint', size: 64 } as const;
const BOOL = { type: 'bool', size: 1 } as const;

/**
 * Writes a model as a UMB file: a Markov chain or decision process, with probabilities or intervals of them. Labels become
 * atomic propositions, annotations go to the group `foreguard`, `parameters` to `file-data.parameters`; `warnings` are not
 * kept. An unknown state is a choice without branches, marked in the annotation `foreguard/unknown`. A choice without a name
 * gets the empty string as its action. The same model and options give the same bytes within one runtime; without `gzip`,
 * everywhere.
 *
 * @throws NotSupportedError if the model has balls around centres, for which the format has no place
 */
export async function writeUmb(model: Model, options: WriteUmbOptions = {}): Promise<Uint8Array> {
  const files: TarEntry[] = [];
  const choices = model.rowStart.length - 1;
  if ('rowGroupStart' in model) {
    files.push(['state-to-choices.bin', encodeNumbers(model.rowGroupStart, 'uint')]);
  }
  // The default of one branch per choice does not fit rows with several branches or none.
  files.push(['choice-to-branches.bin', encodeNumbers(model.rowStart, 'uint')]);
  files.push(['branch-to-target.bin', encodeNumbers(model.columns, 'uint')]);
  files.push(['branch-to-probability.bin', encodeNumbers(probabilities(model), 'double')]);
  const initial = new Uint8Array(Math.ceil(model.states / 64) * 8);
  for (const state of model.initial) initial[state >>> 3] |= 1 << (state & 7);
  files.push(['state-is-initial.bin', initial]);
  const actions = 'actions' in model && model.actions ? writeActions(model.actions, files) : 0;

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
      '#players': 'rowGroupStart' in model ? 1 : 0,
      '#states': model.states,
      '#initial-states': model.initial.length,
      '#choices': choices,
      '#choice-actions': actions,
      '#branches': model.columns.length,
      '#branch-actions': 0,
      '#observations': 0,
      'branch-probability-type': 'upper' in model ? INTERVAL : DOUBLE,
    },
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(valuations && { valuations: { states: valuations.description } }),
  };
  const json = new TextEncoder().encode(`${JSON.stringify(index, null, 2)}\n`);
  const archive = writeTar([['index.json', json], ...files]);
  return options.gzip ? gzip(archive) : archive;
}

/** Probabilities, or lower and upper bounds in turn. */
function probabilities(model: Model): Float64Array {
  if (!('upper' in model)) return model.values;
  if (model.radius) {
    throw new NotSupportedError('UMB has no place for balls around centres; intervals alone can be written');
  }
  const { lower, upper } = model;
  return Float64Array.from({ length: 2 * lower.length }, (_, i) => (i % 2 === 0 ? lower : upper)[i >>> 1]);
}

/** @returns the number of actions, including the empty string if a choice has none */
function writeActions({ names, ofRow }: ActionNames, files: TarEntry[]): number {
  const labels = ofRow.includes(NO_ACTION) ? [...names, ''] : names;
  if (labels.length === 0) return 0;
  const folder = 'actions/choices';
  const encoded = encodeStrings(labels);
  const actions = ofRow.map((action) => (action === NO_ACTION ? names.length : action));
  files.push([`${folder}/values.bin`, encodeUint32s(actions)]);
  files.push([`${folder}/string-mapping.bin`, encoded.mapping], [`${folder}/strings.bin`, encoded.strings]);
  return labels.length;
}

type Group = Record<string, object>;

function aps(model: Model, files: TarEntry[]): Group {
  const ids = identifiersFor([...model.labels.keys()]);
  const entries = [...model.labels].map(([alias, members], i): [string, object] => {
    files.push([`annotations/aps/${ids[i]}/states/values.bin`, encodeBits(members)]);
    return [ids[i], { alias, 'applies-to': ['states'], type: BOOL }];
  });
  return Object.fromEntries(entries);
}

function rewards(model: Model, files: TarEntry[]): Group {
  const structures = model.rewards ?? [];
  const ids = identifiersFor(structures.map(({ name }) => name));
  const entries = structures.map((structure, i): [string, object] => {
    const appliesTo = (['states', 'choices', 'branches'] as const).filter((entity) => structure[entity]);
    for (const entity of appliesTo) {
      const values = encodeNumbers(structure[entity]!, 'double');
      files.push([`annotations/rewards/${ids[i]}/${entity}/values.bin`, values]);
    }
    return [ids[i], { alias: structure.name, 'applies-to': appliesTo, type: DOUBLE }];
  });
  return Object.fromEntries(entries);
}

/** Foreguard's own annotations; those of states and of branches with the same name share an identifier. */
function own(model: Model, files: TarEntry[]): Group {
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
  if ('unknown' in model && model.unknown) {
    files.push([`annotations/${GROUP}/${UNKNOWN}/states/values.bin`, encodeBits(model.unknown)]);
    const description = 'states without a row, about which the data say nothing';
    entries.push([UNKNOWN, { description, 'applies-to': ['states'], type: BOOL }]);
  }
  return Object.fromEntries(entries);
}
