import { Type } from 'typebox';
import { scopeMeanings, type Scope } from './scope-meanings.ts';

export type { Scope };

export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

// No `uniqueItems`: finding the duplicates among a hundred thousand takes the validator minutes.
// The routes drop duplicates.
export const maxScopes = 50;
export const ScopeSchema = Type.Enum(Object.keys(scopeMeanings) as [Scope, ...Scope[]], { title: 'Scope' });
