import { InvalidModelError, NotSupportedError } from '../../errors.js';
import { BitSet } from '../../kernel/index.js';
import { type Annotation, createDtmc, type Dtmc, type Rewards } from '../../model/index.js';
import { type BranchValues, deadlockWarning, tidyRows } from '../tidyRows.js';
import { openUmb, type UmbArchive } from './archive.js';
import type { UmbAnnotation } from './indexFile.js';
import { kindOf } from './kind.js';
import { GROUP, UNKNOWN } from './names.js';
import { readValuations } from './valuations.js';

/**
 * Reads a Markov chain from a UMB file, plain or compressed with gzip.
 *
 * Branches may come in any order; those to one target are added up. Rationals become the nearest double. A state without
 * branches that is not marked as unknown gets a self-loop and a warning. What a chain has no place for (action labels,
 * annotations of other types) is left out with a warning. `source` names the file in messages.
 *
 * @throws InvalidModelError naming the file inside, with found and expected, if the archive or its content is wrong
 * @throws ParseError if index.json is no JSON
 * @throws NotSupportedError naming the kind of model if it is no DTMC
 * @see the UMB specification, version 1.0
 */
export async function readUmb(bytes: Uint8Array, { source }: { source: string }): Promise<Dtmc> {
  const archive = await openUmb(bytes, source);
  const system = archive.index['transition-system'];
  const kind = kindOf(system);
  if (kind !== 'DTMC') {
    throw new NotSupportedError(
      `${source} holds a model of kind ${kind}; this version of Foreguard reads DTMCs`,
    );
  }
  const warnings: string[] = [];
  try {
    return new ChainReader(archive, warnings).read();
  } catch (error) {
    if (!(error instanceof InvalidModelError) || error.message.startsWith(source)) throw error;
    const { state, rowSum } = error;
    throw new InvalidModelError(`${source}: ${error.message}`, {
      ...(state !== undefined && { state }),
      ...(rowSum !== undefined && { rowSum }),
      cause: error,
    });
  }
}

class ChainReader {
  /** Uint32Array(states + 1): the branches of each state. */
  private readonly rowStart: Uint32Array;
  private readonly states: number;
  private readonly branches: number;
  private readonly choices: number;
  /** Uint32Array(branches): the choice of each branch. */
  private readonly choiceOf: Uint32Array;
  private readonly probabilities: Float64Array;

  constructor(
    private readonly archive: UmbArchive,
    private readonly warnings: string[],
  ) {
    const system = archive.index['transition-system'];
    this.states = system['#states'];
    this.branches = system['#branches'];
    this.choices = system['#choices'];
    // Probabilities first: their file bounds the number of branches, the mappings then bound choices and states, so that
    // no number in index.json alone makes memory be allocated.
    if (this.branches > 0) archive.bytes('branch-to-probability.bin');
    this.probabilities = archive.numbers(
      'branch-to-probability.bin',
      this.branches,
      system['branch-probability-type']!,
    );
    const choiceToBranches = archive.csr('choice-to-branches.bin', this.choices, this.branches);
    const stateToChoices = archive.csr('state-to-choices.bin', this.states, this.choices);
    for (let state = 0; state < this.states; state++) {
      const found = stateToChoices[state + 1] - stateToChoices[state];
      if (found <= 1) continue;
      throw archive.error('state-to-choices.bin', `gives state ${state} ${found} choices; a DTMC has one`);
    }
    this.rowStart = stateToChoices.map((choice) => choiceToBranches[choice]);
    this.choiceOf = new Uint32Array(this.branches);
    for (let choice = 0; choice < this.choices; choice++) {
      this.choiceOf.fill(choice, choiceToBranches[choice], choiceToBranches[choice + 1]);
    }
  }

  read(): Dtmc {
    const { archive, states, branches, warnings } = this;
    const system = archive.index['transition-system'];
    const targets = archive.has('branch-to-target.bin')
      ? archive.indices('branch-to-target.bin', branches, states)
      : new Uint32Array(branches);
    const initial = [...archive.bits('state-is-initial.bin', states)];
    if (initial.length !== system['#initial-states']) {
      throw archive.error(
        'state-is-initial.bin',
        `marks ${initial.length} states; by index.json ${system['#initial-states']} are initial`,
      );
    }
    if (initial.length === 0) warnings.push('no state is initial');
    if (system['#choice-actions'] + system['#branch-actions'] > 0)
      warnings.push('action labels were left out');
    const labels = this.labels();
    const unknown = this.unknown();
    const rewards = this.rewards();
    const annotations = this.annotations();
    const carried: BranchValues[] = [
      ...rewards.flatMap(({ name, branches: values }) =>
        values ? [{ name, values, merge: 'mean' as const }] : [],
      ),
      ...annotations.flatMap(({ name, appliesTo, values }) =>
        appliesTo === 'branches' ? [{ name, values, merge: 'equal' as const }] : [],
      ),
    ];
    const rows = tidyRows(
      { rowStart: this.rowStart, columns: targets, values: this.probabilities },
      carried,
      unknown,
    );
    if (rows.deadlocks.length > 0) {
      warnings.push(deadlockWarning(rows.deadlocks));
      const deadlocks = BitSet.of(states, rows.deadlocks);
      labels.set('deadlock', labels.get('deadlock')?.union(deadlocks) ?? deadlocks);
    }
    // In the order of `carried`.
    const tidied = rows.branchValues.values();
    const valuations = readValuations(archive, 'states', states, warnings);
    const parameters = archive.index['file-data']?.parameters;
    const tidyRewards = rewards.map((r) => (r.branches ? { ...r, branches: tidied.next().value! } : r));
    const tidyAnnotations = annotations.map((a) =>
      a.appliesTo === 'branches' ? { ...a, values: tidied.next().value! } : a,
    );
    return createDtmc({
      rowStart: rows.rowStart,
      columns: rows.columns,
      values: rows.values,
      initial,
      labels,
      ...(unknown && { unknown }),
      ...(valuations && { valuations }),
      ...(rewards.length > 0 && { rewards: tidyRewards }),
      ...(annotations.length > 0 && { annotations: tidyAnnotations }),
      ...(parameters !== undefined && { parameters }),
      ...(warnings.length > 0 && { warnings }),
    });
  }

  private labels(): Map<string, BitSet> {
    const labels = new Map<string, BitSet>();
    for (const [id, annotation] of this.archive.index.annotations.get('aps') ?? []) {
      const name = annotation.alias ?? id;
      const folder = `annotations/aps/${id}`;
      if (annotation.type.type !== 'bool' || annotation['applies-to'].join() !== 'states') {
        throw this.archive.error(folder, 'is an atomic proposition, yet not of type bool on states alone');
      }
      if (labels.has(name))
        throw this.archive.error(folder, `is a second atomic proposition called "${name}"`);
      labels.set(name, this.archive.bits(`${folder}/states/values.bin`, this.states));
    }
    return labels;
  }

  private unknown(): BitSet | undefined {
    const mark = this.archive.index.annotations.get(GROUP)?.get(UNKNOWN);
    if (mark?.type.type !== 'bool') return undefined;
    return this.archive.bits(`annotations/${GROUP}/${UNKNOWN}/states/values.bin`, this.states);
  }

  private rewards(): Rewards[] {
    return [...(this.archive.index.annotations.get('rewards') ?? [])].map(([id, annotation]) => {
      const { 'applies-to': entities, type } = annotation;
      const folder = `annotations/rewards/${id}`;
      if (annotation.stochastic || (type.type !== 'double' && type.type !== 'rational')) {
        throw this.archive.error(
          folder,
          `has rewards of type ${type.type}; doubles and rationals are supported`,
        );
      }
      const of = (entity: string, count: number) =>
        entities.includes(entity)
          ? this.archive.numbers(`${folder}/${entity}/values.bin`, count, type)
          : undefined;
      const states = of('states', this.states);
      const choices = of('choices', this.choices);
      let branches = of('branches', this.branches);
      // A chain's only choice is taken whatever branch follows.
      if (choices) branches = perBranch(this.choiceOf, choices, branches);
      return { name: annotation.alias ?? id, ...(states && { states }), ...(branches && { branches }) };
    });
  }

  private annotations(): Annotation[] {
    const annotations: Annotation[] = [];
    for (const [group, members] of this.archive.index.annotations) {
      if (group === 'aps' || group === 'rewards') continue;
      for (const [id, annotation] of members) {
        if (group === GROUP && id === UNKNOWN && annotation.type.type === 'bool') continue;
        annotations.push(...this.annotation(group, id, annotation));
      }
    }
    return annotations;
  }

  private annotation(group: string, id: string, given: UmbAnnotation): Annotation[] {
    const folder = `annotations/${group}/${id}`;
    const { type } = given.type;
    const name = given.alias ?? id;
    const supported = given['applies-to'].filter((entity) => entity === 'states' || entity === 'branches');
    const numeric = type === 'double' || type === 'uint' || type === 'int' || type === 'rational';
    if (given.stochastic || !numeric || supported.length < given['applies-to'].length) {
      this.warnings.push(
        `${folder} (${type} on ${given['applies-to'].join(', ')}) was left out: a chain has no place for it`,
      );
      if (given.stochastic || !numeric) return [];
    }
    return supported.map((appliesTo) => ({
      name: group === GROUP ? name : `${group}/${name}`,
      ...(given.description !== undefined && { description: given.description }),
      appliesTo: appliesTo as Annotation['appliesTo'],
      type: type === 'uint' ? 'uint' : 'double',
      values: this.archive.numbers(
        `${folder}/${appliesTo}/values.bin`,
        appliesTo === 'states' ? this.states : this.branches,
        given.type,
      ),
    }));
  }
}

function perBranch(choiceOf: Uint32Array, choices: Float64Array, branches?: Float64Array): Float64Array {
  return Float64Array.from(choiceOf, (choice, branch) => choices[choice] + (branches?.[branch] ?? 0));
}
