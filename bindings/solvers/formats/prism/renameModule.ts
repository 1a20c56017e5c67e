import type {
  FormulaDeclaration,
  Place,
  PrismExpression,
  PrismReader,
} from '../../../languages/logic/index.js';
import { mapNames, readNewName } from '../../../languages/logic/index.js';
import type { PrismModule, Update } from './prismModel.js';

/** `module name = base [ old = new, … ] endmodule`. */
export interface Renaming {
  readonly name: string;
  readonly base: string;
  readonly names: ReadonlyMap<string, string>;
  readonly place: Place;
}

/** Parses a renaming after `module name =`. */
export function parseRenaming(reader: PrismReader, name: string, place: Place): Renaming {
  const base = reader.expectIdentifier('the name of a module').text;
  const names = new Map<string, string>();
  reader.expect('[');
  do {
    const old = reader.expectIdentifier('a name to replace');
    if (names.has(old.text)) throw reader.errorAt(old.place, `${old.text} is replaced twice`);
    reader.expect('=');
    names.set(old.text, readNewName(reader, 'what is renamed').name);
  } while (reader.take(','));
  reader.expect(']');
  reader.expectWord('endmodule');
  return { name, base, names, place };
}

/**
 * Returns the module with other names. Formulas are expanded first, because the renaming applies to their content, not to their
 * names.
 */
export function renameModule(
  reader: PrismReader,
  base: PrismModule,
  { name, names, place }: Renaming,
  formulas: readonly FormulaDeclaration[],
): PrismModule {
  const missing = base.variables.find((variable) => !names.has(variable.name));
  if (missing) {
    throw reader.errorAt(
      place,
      `variable ${missing.name} of ${base.name} gets no new name`,
      `${missing.name} = …`,
    );
  }
  const byName = new Map(formulas.map((formula) => [formula.name, formula.expression]));
  const open = new Set<string>();
  const rename = (expression: PrismExpression): PrismExpression =>
    mapNames(expression, (node) => {
      const formula = names.has(node.name) ? undefined : byName.get(node.name);
      if (formula === undefined) return { ...node, name: names.get(node.name) ?? node.name };
      if (open.has(node.name)) throw reader.errorAt(node.place, `formula ${node.name} is defined by itself`);
      open.add(node.name);
      const written = rename(formula);
      open.delete(node.name);
      return written;
    });
  const renameOrNull = (expression: PrismExpression | null) => expression && rename(expression);
  const newName = (old: string): string => names.get(old) ?? old;
  const renameProbability = (probability: Update['probability']): Update['probability'] =>
    probability?.kind === 'interval'
      ? { ...probability, lower: rename(probability.lower), upper: rename(probability.upper) }
      : renameOrNull(probability);
  return {
    name,
    place,
    variables: base.variables.map((variable) => ({
      ...variable,
      place,
      name: newName(variable.name),
      low: renameOrNull(variable.low),
      high: renameOrNull(variable.high),
      initial: renameOrNull(variable.initial),
    })),
    commands: base.commands.map((command) => ({
      ...command,
      action: command.action && newName(command.action),
      guard: rename(command.guard),
      updates: command.updates.map((update) => ({
        ...update,
        probability: renameProbability(update.probability),
        assignments: update.assignments.map((assignment) => ({
          ...assignment,
          variable: newName(assignment.variable),
          value: rename(assignment.value),
        })),
      })),
    })),
  };
}
