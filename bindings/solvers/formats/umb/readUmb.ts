import { NotSupportedError } from '../../../base/errors.js';
import type { BitSet } from '../../kernel/index.js';
import { type ActionNames, type Annotation, type Model, NO_ACTION, type Rewards } from '../../model/index.js';
import { modelOfRows, namingSource } from '../modelOfRows.js';
import { type BranchValues, type ListedRows, mapRows, normaliseRows } from '../normaliseRows.js';
import { openUmb, type UmbArchive } from './archive.js';
import type { UmbAnnotation } from './indexFile.js';
import { kindOf } from './kind.js';
import { GROUP, UNKNOWN } from './names.js';
import { readValuations } from './valuations.js';

const SUPPORTED: readonly string[] = ['DTMC', 'MDP', 'IDTMC', 'IMDP', 'LTS'];

/**
 * Reads a model from a UMB file, plain or compressed with gzip: a Markov chain or decision process, with probabilities or
 * intervals of them.
 *
 * Branches may come in any order; those to one target are added up. Rationals become the nearest double. A state without
 * branches that is not marked as unknown gets a self-loop and a warning. Actions of choices are names; a choice whose action is
 * the empty string has no name. A transition system without randomness (LTS) is read as a decision process. Parts that a model
 * cannot hold (actions of chains and of branches, annotations of other types) are dropped with a warning. `source` names the
 * file in messages.
 *
 * @throws InvalidModelError naming the file inside, with found and expected, if the archive or its content is wrong
 * @throws ParseError if index.json is not JSON
 * @throws NotSupportedError naming the kind of model if it is none of these, and for xz, with the command that unpacks it
 * @see the UMB specification, version 1.0
 */
export async function readUmb(bytes: Uint8Array, { source }: { source: string }): Promise<Model> {
  const archive = await openUmb(bytes, source);
  const kind = kindOf(archive.index['transition-system']);
  if (!SUPPORTED.includes(kind)) {
    throw new NotSupportedError(
      `${source} holds a model of kind ${kind}; this version of Foreguard reads ${SUPPORTED.join(', ')}`,
    );
  }
  return namingSource(source, () => new ModelReader(archive).read());
}

class ModelReader {
  readonly #warnings: string[] = [];
  readonly #isChain: boolean;
  readonly #states: number;
  readonly #branches: number;
  readonly #choices: number;
  readonly #stateToChoices: Uint32Array;
  readonly #rows: Omit<ListedRows, 'columns'>;
  readonly #archive: UmbArchive;

  constructor(archive: UmbArchive) {
    this.#archive = archive;
    const system = archive.index['transition-system'];
    this.#isChain = system['#players'] === 0;
    this.#states = system['#states'];
    this.#branches = system['#branches'];
    this.#choices = system['#choices'];
    if (archive.index['format-version'] === 0) {
      this.#warnings.push('its format-version is 0, from before the specification; it was read as version 1');
    }
    if (system['branch-probability-type']?.type.startsWith('rational')) {
      this.#warnings.push('its probabilities are rationals; they were read as the nearest doubles');
    }
    // Branches first: their file bounds their number, and the mappings then bound choices and states. No number in index.json
    // alone can therefore cause a large allocation.
    const type = system['branch-probability-type'];
    const file = type ? 'branch-to-probability.bin' : 'branch-to-target.bin';
    if (this.#branches > 0) archive.bytes(file, type ? undefined : 8 * this.#branches);
    const probabilities = type
      ? archive.bounds(file, this.#branches, type)
      : { values: new Float64Array(this.#branches).fill(1) };
    const choiceToBranches = archive.csr('choice-to-branches.bin', this.#choices, this.#branches);
    this.#stateToChoices = archive.csr('state-to-choices.bin', this.#states, this.#choices);
    if (this.#isChain) {
      this.#requireOneChoice();
      this.#rows = {
        rowStart: this.#stateToChoices.map((choice) => choiceToBranches[choice]),
        ...probabilities,
      };
    } else {
      this.#rows = { rowGroupStart: this.#stateToChoices, rowStart: choiceToBranches, ...probabilities };
    }
  }

  read(): Model {
    const archive = this.#archive;
    const states = this.#states;
    const branches = this.#branches;
    const warnings = this.#warnings;
    const columns = archive.has('branch-to-target.bin')
      ? archive.indices('branch-to-target.bin', branches, states)
      : new Uint32Array(branches);
    const initial = this.#initial();
    const actions = this.#actions();
    const labels = this.#labels();
    const unknown = this.#isChain ? this.#unknown() : undefined;
    const rewards = this.#rewards();
    const annotations = this.#annotations();
    const carried: BranchValues[] = [
      ...rewards.flatMap(({ name, branches: values }) =>
        values ? [{ name, values, merge: 'mean' as const }] : [],
      ),
      ...annotations.flatMap(({ name, appliesTo, values }) =>
        appliesTo === 'branches' ? [{ name, values, merge: 'equal' as const }] : [],
      ),
    ];
    const rows = normaliseRows({ ...this.#rows, columns }, carried, unknown);
    // In the order of `carried`.
    const tidied = rows.branchValues.values();
    const valuations = readValuations(archive, 'states', states, warnings);
    return modelOfRows(rows, {
      initial,
      labels,
      ...(actions && { actions }),
      ...(unknown && { unknown }),
      ...(valuations && { valuations }),
      rewards: rewards.map((reward) => ({
        ...reward,
        ...(reward.choices && { choices: mapRows(reward.choices, rows) }),
        ...(reward.branches && { branches: tidied.next().value! }),
      })),
      annotations: annotations.map((annotation) => ({
        ...annotation,
        ...(annotation.appliesTo === 'choices' && { values: mapRows(annotation.values, rows) }),
        ...(annotation.appliesTo === 'branches' && { values: tidied.next().value! }),
      })),
      parameters: archive.index['file-data']?.parameters,
      warnings,
    });
  }

  #requireOneChoice(): void {
    const stateToChoices = this.#stateToChoices;
    for (let state = 0; state < this.#states; state++) {
      const found = stateToChoices[state + 1] - stateToChoices[state];
      if (found <= 1) continue;
      throw this.#archive.error(
        'state-to-choices.bin',
        `gives state ${state} ${found} choices; a chain has one`,
      );
    }
  }

  #initial(): number[] {
    const initial = [...this.#archive.bits('state-is-initial.bin', this.#states)];
    const expected = this.#archive.index['transition-system']['#initial-states'];
    if (initial.length !== expected) {
      throw this.#archive.error(
        'state-is-initial.bin',
        `marks ${initial.length} states; by index.json ${expected} are initial`,
      );
    }
    if (initial.length === 0) this.#warnings.push('no state is initial');
    return initial;
  }

  #actions(): ActionNames | undefined {
    const { '#choice-actions': count, '#branch-actions': ofBranches } =
      this.#archive.index['transition-system'];
    if (ofBranches > 0)
      this.#warnings.push('the actions of branches were left out: choices alone have names');
    if (count === 0) return undefined;
    if (this.#isChain) {
      this.#warnings.push('the actions of choices were left out: in a chain nothing is chosen');
      return undefined;
    }
    const folder = 'actions/choices';
    const ofRow = this.#archive.has(`${folder}/values.bin`)
      ? this.#archive.uint32s(`${folder}/values.bin`, this.#choices, count)
      : new Uint32Array(this.#choices);
    // Without labels, actions are distinguished by their numbers.
    const labels = this.#archive.has(`${folder}/string-mapping.bin`)
      ? this.#archive.strings(folder, count)
      : Array.from(
          { length: Math.min(count, 1 + ofRow.reduce((a, b) => Math.max(a, b), 0)) },
          (_, i) => `${i}`,
        );
    const names = [...new Set(labels)].filter((label) => label !== '');
    const numbers = labels.map((label) => (label === '' ? NO_ACTION : names.indexOf(label)));
    return { names, ofRow: ofRow.map((action) => numbers[action]) };
  }

  #labels(): Map<string, BitSet> {
    const labels = new Map<string, BitSet>();
    for (const [id, annotation] of this.#archive.index.annotations.get('aps') ?? []) {
      const name = annotation.alias ?? id;
      const folder = `annotations/aps/${id}`;
      if (annotation.type.type !== 'bool' || annotation['applies-to'].join() !== 'states') {
        throw this.#archive.error(folder, 'is an atomic proposition, yet not of type bool on states alone');
      }
      if (labels.has(name))
        throw this.#archive.error(folder, `is a second atomic proposition called "${name}"`);
      labels.set(name, this.#archive.bits(`${folder}/states/values.bin`, this.#states));
    }
    return labels;
  }

  #unknown(): BitSet | undefined {
    const mark = this.#archive.index.annotations.get(GROUP)?.get(UNKNOWN);
    if (mark?.type.type !== 'bool') return undefined;
    return this.#archive.bits(`annotations/${GROUP}/${UNKNOWN}/states/values.bin`, this.#states);
  }

  #rewards(): Rewards[] {
    return [...(this.#archive.index.annotations.get('rewards') ?? [])].map(([id, annotation]) => {
      const { 'applies-to': entities, type } = annotation;
      const folder = `annotations/rewards/${id}`;
      if (annotation.stochastic || (type.type !== 'double' && type.type !== 'rational')) {
        throw this.#archive.error(
          folder,
          `has rewards of type ${type.type}; doubles and rationals are supported`,
        );
      }
      const of = (entity: Annotation['appliesTo']) =>
        entities.includes(entity) ? this.#numbers(folder, entity, annotation) : undefined;
      const [states, choices, branches] = [of('states'), of('choices'), of('branches')];
      return {
        name: annotation.alias ?? id,
        ...(states && { states }),
        ...(choices && { choices }),
        ...(branches && { branches }),
      };
    });
  }

  #annotations(): Annotation[] {
    const annotations: Annotation[] = [];
    for (const [group, members] of this.#archive.index.annotations) {
      if (group === 'aps' || group === 'rewards') continue;
      for (const [id, annotation] of members) {
        if (group === GROUP && id === UNKNOWN && annotation.type.type === 'bool') continue;
        annotations.push(...this.#annotation(group, id, annotation));
      }
    }
    return annotations;
  }

  #annotation(group: string, id: string, given: UmbAnnotation): Annotation[] {
    const folder = `annotations/${group}/${id}`;
    const { type } = given.type;
    const name = given.alias ?? id;
    const numeric = type === 'double' || type === 'uint' || type === 'int' || type === 'rational';
    const supported = entities.filter((entity) => given['applies-to'].includes(entity));
    if (given.stochastic || !numeric || supported.length < given['applies-to'].length) {
      this.#warnings.push(
        `${folder} (${type} on ${given['applies-to'].join(', ')}) was left out: a model has no place for it`,
      );
      if (given.stochastic || !numeric) return [];
    }
    return supported.map((appliesTo) => ({
      name: group === GROUP ? name : `${group}/${name}`,
      ...(given.description !== undefined && { description: given.description }),
      appliesTo,
      type: type === 'uint' ? 'uint' : 'double',
      values: this.#numbers(folder, appliesTo, given),
    }));
  }

  /** Numbers of an annotation, one per state, row or branch. A chain's rows are its states, with or without a choice. */
  #numbers(folder: string, entity: Annotation['appliesTo'], { type }: UmbAnnotation): Float64Array {
    const file = `${folder}/${entity}/values.bin`;
    if (entity !== 'choices') {
      return this.#archive.numbers(file, entity === 'states' ? this.#states : this.#branches, type);
    }
    const ofChoices = this.#archive.numbers(file, this.#choices, type);
    if (!this.#isChain || this.#choices === this.#states) return ofChoices;
    const stateToChoices = this.#stateToChoices;
    return Float64Array.from({ length: this.#states }, (_, state) =>
      stateToChoices[state] < stateToChoices[state + 1] ? ofChoices[stateToChoices[state]] : 0,
    );
  }
}

const entities = ['states', 'choices', 'branches'] as const;
