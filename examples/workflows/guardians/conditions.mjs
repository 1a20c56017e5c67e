/**
 * Conditions of the cases, given as trees, as expressions of Foreguard.
 *
 * `domainOf` of a list, and `in` with a list on the left, are about each element there: so they become quantifiers.
 */

const METHODS = { startswith: 'startsWith', endswith: 'endsWith' };
const RELATIONS = ['==', '!=', '<', '<=', '>', '>='];

/** What has no counterpart. */
export class Untranslatable extends Error {}

/**
 * @param tree the condition as a tree; null if it could not be read
 * @param nameOf what stands in place of a name: an expression
 * @param isList whether a name is a list
 * @returns an expression
 * @throws Untranslatable
 */
export function expressionOf(tree, nameOf, isList = () => false) {
  if (tree === null || tree === undefined || typeof tree !== 'object')
    throw new Untranslatable('it cannot be read');
  const part = (one) => expressionOf(one, nameOf, isList);
  if ('literal' in tree) return literalOf(tree.literal);
  if ('name' in tree) return nameOf(tree.name);
  if ('list' in tree) return `[${tree.list.map(part).join(', ')}]`;
  if ('not' in tree) return `!(${part(tree.not)})`;
  if ('and' in tree) return `(${tree.and.map(part).join(' && ')})`;
  if ('or' in tree) return `(${tree.or.map(part).join(' || ')})`;
  if ('compare' in tree) return comparisons(tree.compare, part, isList);
  if ('call' in tree && ['size', 'domainOf'].includes(tree.call)) {
    if (tree.arguments.length !== 1)
      throw new Untranslatable(`${tree.call} has ${tree.arguments.length} arguments`);
    if (tree.call === 'domainOf' && isListTree(tree.arguments[0], isList))
      throw new Untranslatable('domainOf of a list stands alone');
    return `${tree.call}(${part(tree.arguments[0])})`;
  }
  if ('method' in tree && Object.hasOwn(METHODS, tree.method) && tree.arguments.length === 1)
    return `${part(tree.of)}.${METHODS[tree.method]}(${part(tree.arguments[0])})`;
  throw new Untranslatable(`${Object.keys(tree)[0]} is outside of the language`);
}

/** `a < b < c` is `a < b && b < c`. */
function comparisons(chain, part, isList) {
  const found = [];
  for (let i = 0; i + 2 < chain.length; i += 2)
    found.push(comparison(chain[i], chain[i + 1], chain[i + 2], part, isList));
  return found.length === 1 ? found[0] : `(${found.join(' && ')})`;
}

function comparison(left, operator, right, part, isList) {
  if (operator === 'in' || operator === 'not in') {
    const element = elementwise(left, part, isList);
    const within = part(right);
    const holds =
      element === null
        ? `${part(left)} in ${within}`
        : `${element.list}.all(m, ${element.body} in ${within})`;
    return operator === 'in' ? `(${holds})` : `!(${holds})`;
  }
  if (!RELATIONS.includes(operator))
    throw new Untranslatable(`the operator ${operator} is outside of the language`);
  return `(${part(left)} ${operator} ${part(right)})`;
}

/** A list, and what is asked of each of its elements `m`; null for what is no list. */
function elementwise(tree, part, isList) {
  if (isListTree(tree, isList)) return { list: part(tree), body: 'm' };
  const isDomain = 'call' in tree && tree.call === 'domainOf' && isListTree(tree.arguments[0], isList);
  return isDomain ? { list: part(tree.arguments[0]), body: 'domainOf(m)' } : null;
}

function isListTree(tree, isList) {
  return 'list' in tree || ('name' in tree && isList(tree.name));
}

/** A value as an expression. */
export function literalOf(value) {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) throw new Untranslatable('a record is no constant');
  return JSON.stringify(value);
}

/** What a tree says of the types of names: those that are compared with constants, or read as addresses. */
export function typesSaid(tree, say) {
  if (typeof tree !== 'object' || tree === null) return;
  if (tree.call === 'domainOf' && typeof tree.arguments?.[0]?.name === 'string')
    say(tree.arguments[0].name, { type: 'text' });
  if (Array.isArray(tree.compare))
    for (let i = 0; i + 2 < tree.compare.length; i += 2) {
      const [left, , right] = tree.compare.slice(i, i + 3);
      for (const [one, other] of [
        [left, right],
        [right, left],
      ])
        if (typeof one?.name === 'string') {
          const value = 'literal' in other ? other.literal : (other.list?.[0]?.literal ?? null);
          if (typeof value === 'string') say(one.name, { type: 'text' });
          if (typeof value === 'number') say(one.name, { type: 'number' });
        }
    }
  for (const [key, part] of Object.entries(tree)) if (key !== 'literal') typesSaid(part, say);
}
