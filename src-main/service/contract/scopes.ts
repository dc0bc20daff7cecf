import { Type } from 'typebox';
import { scopeMeanings, type Scope } from './scope-meanings.ts';

export type { Scope };

export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

// No `uniqueItems`: saying which of a hundred thousand are double takes the validator minutes. Doubles are left out by whoever takes them.
export const mostScopes = 50;
export const ScopeSchema = Type.Enum(Object.keys(scopeMeanings) as [Scope, ...Scope[]], { title: 'Scope' });
