/** Thrown inside when a sentence has more readings than are worked out; readers make an error of it that says so. */
export class BudgetError extends Error {}
