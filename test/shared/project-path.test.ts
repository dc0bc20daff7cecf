import { expect, test } from 'vitest';
import { isProjectPath, problemOfProjectPath } from '../../src-shared/project-path.ts';

test.each(['lab', 'lab/qmr', 'a.b/c_d-e', '_x', '12/a', 'lab/api'])('%j can be the path of a project', (path) => {
  expect(problemOfProjectPath(path)).toBeNull();
  expect(isProjectPath(path)).toBe(true);
});

test.each([
  ['x'.repeat(256), 'At most 255'],
  ['12', 'Not just a number'],
  ['', 'No empty part'],
  ['/a', 'No empty part'],
  ['a/', 'No empty part'],
  ['a//b', 'No empty part'],
  ['-a', 'Letters'],
  ['a/-/b', 'Letters'],
  ['.a', 'Letters'],
  ['a.', 'Letters'],
  ['ä', 'Letters'],
  ['a b', 'Letters'],
  ['api/x', '“api” is reserved'],
  ['API', '“API” is reserved'],
  ['mine', '“mine” is reserved'],
  ['certificate.pem', '“certificate.pem” is reserved'],
])('%j cannot, and the reason says why', (path, reason) => {
  expect(problemOfProjectPath(path)).toContain(reason);
  expect(isProjectPath(path)).toBe(false);
});
