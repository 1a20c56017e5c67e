export { SQL_DIALECTS, type SqlDialect, type SqlDialectName, sqlDialect } from './dialect.js';
export { translateCondition } from './translate.js';
export {
  nothing as sqlNothing,
  type SqlRow,
  type SqlScalar,
  type SqlValue,
  scalar as sqlScalar,
} from './value.js';
