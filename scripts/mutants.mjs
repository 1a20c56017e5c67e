/**
 * Finds places to break in a source file: the syntax tree is walked, and every operator, number, branch and statement that
 * a slip of the pen could change gives a mutant. Nothing is random, so the same source always gives the same mutants.
 */
import { createHash } from 'node:crypto';
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;

/** What each binary operator becomes: the neighbouring comparison, the opposite operation. */
const OPPOSITES = new Map([
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.EqualsEqualsToken, '!='],
  [Kind.ExclamationEqualsToken, '=='],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
  [Kind.AsteriskToken, '/'],
  [Kind.SlashToken, '*'],
  [Kind.PercentToken, '*'],
  [Kind.AmpersandToken, '|'],
  [Kind.BarToken, '&'],
  [Kind.LessThanLessThanToken, '>>>'],
  [Kind.GreaterThanGreaterThanGreaterThanToken, '<<'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.PlusEqualsToken, '-='],
  [Kind.MinusEqualsToken, '+='],
]);

const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=', '===', '!==']);

/** A name that stands for a bound of rounding: 1 - error, 1 + outward(k). */
const ROUNDING = /^(error|outward|slack|unit)/i;

/**
 * @returns mutants as `{ place, kind, start, end, text }`: the function they are in, what is changed, and the characters
 *   `start` to `end` of the source that `text` replaces; in the order of the source.
 */
export function mutantsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const found = [];

  const visit = (node, place) => {
    if (
      ts.isImportDeclaration(node) ||
      ts.isExportDeclaration(node) ||
      ts.isTypeNode(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isEnumDeclaration(node) ||
      ts.isDecorator(node) ||
      ts.isThrowStatement(node) ||
      isError(node)
    )
      return;
    const inner = nameOf(node) === undefined ? place : [...place, nameOf(node)];
    const add = (kind, text, target = node) =>
      found.push({
        place: inner.join('.') || 'top level',
        kind,
        start: target.getStart(file),
        end: target.end,
        text,
      });
    mutate(node, file, add);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, []);
  return found;
}

/**
 * Chooses mutants: all that drop a rounding, and of each function up to `perFunction` others, of different kinds as far as
 * there are any. Which ones depends on their text and not on where they are, so that edits elsewhere do not change the choice.
 */
export function chooseMutants(path, source, mutants, perFunction) {
  const tally = new Map();
  const count = (key) => tally.set(key, (tally.get(key) ?? 0) + 1).get(key);
  const chosen = new Set(
    mutants
      .filter(({ kind }) => kind !== 'rounding')
      .toSorted((a, b) => rank(path, source, a).localeCompare(rank(path, source, b)))
      .map((mutant) => ({ mutant, repeats: count(`${mutant.place} ${mutant.kind}`) }))
      .sort((a, b) => a.repeats - b.repeats)
      .filter(({ mutant }) => count(mutant.place) <= perFunction)
      .map(({ mutant }) => mutant),
  );
  return mutants.filter((mutant) => mutant.kind === 'rounding' || chosen.has(mutant));
}

/** A number that looks random and is fixed by what a mutant changes. */
export function rank(path, source, { place, kind, start, end, text }) {
  const line = source.slice(source.lastIndexOf('\n', start) + 1, source.indexOf('\n', end));
  return createHash('sha256')
    .update([path, place, kind, line, source.slice(start, end), text].join('\n'))
    .digest('hex');
}

function mutate(node, file, add) {
  if (ts.isBinaryExpression(node)) mutateBinary(node, file, add);
  else if (ts.isNumericLiteral(node) && !isShift(node)) add('constant', nextNumber(node.getText(file)));
  else if (node.kind === Kind.TrueKeyword) add('constant', 'false');
  else if (node.kind === Kind.FalseKeyword) add('constant', 'true');
  else if (ts.isConditionalExpression(node)) {
    const [yes, no] = [node.whenTrue.getText(file), node.whenFalse.getText(file)];
    add('branch', `${node.condition.getText(file)} ? ${no} : ${yes}`);
  } else if (ts.isIfStatement(node)) add('branch', `!(${node.expression.getText(file)})`, node.expression);
  else if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    add('branch', node.operand.getText(file));
  else if (ts.isCallExpression(node) && /^(Math\.)?(min|max)$/.test(node.expression.getText(file))) {
    const callee = node.expression.getText(file);
    add(
      'comparison',
      callee.endsWith('min') ? callee.replace('min', 'max') : callee.replace('max', 'min'),
      node.expression,
    );
  } else if (
    ts.isExpressionStatement(node) &&
    (ts.isCallExpression(node.expression) || isAssignment(node.expression))
  )
    add('statement', ';');
}

function mutateBinary(node, file, add) {
  const operator = node.operatorToken;
  const opposite = OPPOSITES.get(operator.kind);
  if (opposite === undefined || [node.left, node.right].some(isText)) return;
  const isSum = operator.kind === Kind.PlusToken || operator.kind === Kind.MinusToken;
  if (isSum && node.left.getText(file) === '1' && ROUNDING.test(node.right.getText(file)))
    add('rounding', '1');
  else add(COMPARISONS.has(operator.getText(file)) ? 'comparison' : 'arithmetic', opposite, operator);
}

function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessor(node) ||
    ts.isClassDeclaration(node) ||
    (ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer));
  return isNamed ? node.name?.text : undefined;
}

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const isError = (node) => ts.isNewExpression(node) && /Error$/.test(node.expression.getText());
const isAssignment = (node) =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= Kind.FirstAssignment &&
  node.operatorToken.kind <= Kind.LastAssignment;

/** Sizes of elements are shifts; a changed one breaks everything at once and shows nothing. */
const isShift = (node) =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.right === node &&
  [Kind.LessThanLessThanToken, Kind.GreaterThanGreaterThanGreaterThanToken].includes(
    node.parent.operatorToken.kind,
  );

/** The next whole number, as long as 32 bits hold it, or twice the fraction. */
function nextNumber(text) {
  const number = Number(text);
  if (!Number.isInteger(number)) return String(number * 2);
  if (number === 0xffffffff) return String(number - 1);
  return text.includes('.') ? `${number + 1}.0` : String(number + 1);
}
