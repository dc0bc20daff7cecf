import type { SqliteMigration } from './migration.ts';

/**
 * Wrong passwords are counted for each network and browser, and those that a user has signed in
 * from are remembered.
 */
export const signInPlaces: SqliteMigration = {
  number: 7,
  name: 'sign-in-places',
  sql: `
-- Begin of the hour in which failed_sign_ins counts failures from unknown places.
ALTER TABLE users ADD COLUMN failures_since INTEGER;

-- When the user last proved with this login that they have the second factor.
ALTER TABLE sessions ADD COLUMN factor_at INTEGER;

-- A place is a network or a known browser; see accounts/sign-in-place.ts.
CREATE TABLE sign_in_failures (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  locked_until INTEGER,
  PRIMARY KEY (user_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE known_places (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT, WITHOUT ROWID;

-- Only IPv4: the network of an IPv6 address is not to be had in SQL, and is known with the next sign-in.
INSERT INTO known_places (user_id, place, seen_at)
  SELECT user_id, 'network ' || address, max(last_used_at) FROM sessions WHERE address LIKE '%.%' AND address NOT LIKE '%:%' GROUP BY user_id, address;
`,
};
