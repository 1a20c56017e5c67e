import { nearestName } from '../../../base/suggest.js';
import {
  type FormulaDeclaration,
  mapNames,
  type Place,
  type PrismExpression,
  type PrismReader,
} from '../../../languages/logic/index.js';
import type { PrismModel, SystemExpression } from './prismModel.js';

/**
 * Refuses names that are declared twice: constants, formulas and variables share one namespace; labels and reward structures
 * have one each. Also refuses circular formulas and rewards of unknown actions.
 *
 * @throws ParseError at the second declaration, naming the place of the first one
 */
export function checkNames(reader: PrismReader, model: Omit<PrismModel, 'initial' | 'type'>): void {
  const { constants, formulas, globals, modules, labels, rewards } = model;
  const variables = [...globals, ...modules.flatMap((module) => module.variables)];
  refuseRepeated(reader, [
    ...constants.map(({ name, place }) => ({ name: `constant ${name}`, key: name, place })),
    ...formulas.map(({ name, place }) => ({ name: `formula ${name}`, key: name, place })),
    ...variables.map(({ name, place }) => ({ name: `variable ${name}`, key: name, place })),
  ]);
  const own = labels.find(({ name }) => name === 'deadlock' || name === 'init');
  if (own) throw reader.errorAt(own.place, `label "${own.name}" is there in every model`, 'another name');
  refuseRepeated(
    reader,
    labels.map(({ name, place }) => ({ name: `label "${name}"`, key: name, place })),
  );
  refuseRepeated(
    reader,
    rewards
      .filter(({ name }) => name !== '')
      .map(({ name, place }) => ({ name: `reward structure "${name}"`, key: name, place })),
  );
  refuseCycles(reader, formulas);
  refuseUnknownActions(reader, model);
}

function refuseUnknownActions(
  reader: PrismReader,
  { modules, rewards, system }: Pick<PrismModel, 'modules' | 'rewards' | 'system'>,
): void {
  const known = new Set(modules.flatMap(({ commands }) => commands.map(({ action }) => action ?? '')));
  known.delete('');
  for (const name of system ? renamedActions(system) : []) known.add(name);
  for (const { action, place } of rewards.flatMap(({ items }) => items)) {
    if (action === null || known.has(action)) continue;
    const nearest = nearestName(action, known);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    throw reader.errorAt(place, `rewards are given for action ${action}, which no command has${hint}`);
  }
}

/** The names that a system gives to renamed actions. */
function renamedActions(system: SystemExpression): string[] {
  if (system.kind === 'module') return [];
  if (system.kind === 'parallel') return system.operands.flatMap(renamedActions);
  const inner = renamedActions(system.operand);
  return system.kind === 'rename' ? [...inner, ...system.actions.values()] : inner;
}

interface Declared {
  /** Its name in messages. */
  readonly name: string;
  readonly key: string;
  readonly place: Place;
}

function refuseRepeated(reader: PrismReader, declared: readonly Declared[]): void {
  const first = new Map<string, Declared>();
  // In the order of the text, so that the later declaration is refused.
  for (const one of [...declared].sort((a, b) => a.place.offset - b.place.offset)) {
    const earlier = first.get(one.key);
    if (earlier) {
      throw reader.errorAt(
        one.place,
        `${one.name} has a name that is taken, by ${earlier.name} in line ${earlier.place.line}`,
        'another name',
      );
    }
    first.set(one.key, one);
  }
}

function refuseCycles(reader: PrismReader, formulas: readonly FormulaDeclaration[]): void {
  const byName = new Map(formulas.map((formula) => [formula.name, formula]));
  const done = new Set<string>();
  const open: string[] = [];
  const visit = (formula: FormulaDeclaration): void => {
    if (done.has(formula.name)) return;
    const cycle = open.indexOf(formula.name);
    if (cycle >= 0) {
      const way = [...open.slice(cycle), formula.name].join(' → ');
      throw reader.errorAt(formula.place, `formula ${formula.name} is defined by itself: ${way}`);
    }
    open.push(formula.name);
    forEachName(formula.expression, (name) => {
      const needed = byName.get(name);
      if (needed) visit(needed);
    });
    open.pop();
    done.add(formula.name);
  };
  formulas.forEach(visit);
}

function forEachName(expression: PrismExpression, visit: (name: string) => void): void {
  mapNames(expression, (node) => {
    visit(node.name);
    return node;
  });
}
