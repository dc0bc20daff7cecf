import { lookAt } from '../look.ts';
import { ask, bobAt, narrow, settingsOf, trackedProject } from './projects-world.ts';
import { expect, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const path = 'lab/spectrometer';
const dialog = '[role="dialog"], [role="alertdialog"]';

test('members are added, changed and removed; the last owner stays, with the reason', async ({ page, service }) => {
  await trackedProject(page, service);
  await ask(page, service, 'POST', '/users', { username: 'bob', name: 'Bob of the spectrometer' });
  await page.goto(settingsOf(service, path, 'members'));
  const table = page.getByRole('grid', { name: 'Members' });
  await expect(table.getByRole('row', { name: /^alice, you/ })).toContainText('A project needs an owner.');
  await page.keyboard.press('m');
  const add = page.getByRole('dialog', { name: `Add a member to ${path}` });
  await expect(add.getByLabel('User name')).toBeFocused();
  await page.keyboard.type('alice');
  await expect(add.getByText('alice is already a member, as owner.')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('nobody');
  await add.getByRole('button', { name: 'Add' }).click();
  await expect(add.getByRole('alert')).toContainText('There is no active user nobody.');
  await lookAt(page, dialog);
  await add.getByLabel('User name').fill('bob');
  await add.getByRole('radio', { name: 'reporter' }).check();
  await add.getByRole('button', { name: 'Add' }).click();
  const bob = table.getByRole('row', { name: /^bob/ });
  await expect(bob).toContainText('reporter');
  await lookAt(page);

  await bob.getByRole('button', { name: 'Change the role of bob' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'owner' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(bob).toContainText('owner');
  await expect(table.getByText('A project needs an owner.')).toHaveCount(0);
  await bob.getByRole('button', { name: 'Remove bob' }).click();
  await page
    .getByRole('alertdialog', { name: `Remove bob from ${path}?` })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(bob).toHaveCount(0);
  await narrow(page);
  await lookAt(page);
});

test('a project is renamed, its Monitor is switched off and shown as such, and the project is deleted', async ({
  page,
  service,
}) => {
  await trackedProject(page, service);
  await page.goto(settingsOf(service, path, 'general'));
  await page.getByLabel('Name').fill('Spectrometer of hall 3');
  await page.getByLabel('Monitor').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Spectrometer of hall 3' })).toBeVisible();
  await lookAt(page);
  await page.getByRole('tab', { name: 'Monitor' }).click();
  await expect(page.getByText('Monitor is off for this project')).toBeVisible();
  await lookAt(page);
  await page.getByRole('link', { name: 'All projects' }).click();
  const row = page.getByRole('row', { name: /Spectrometer of hall 3/ });
  await expect(row).toContainText('Monitor is off');
  await lookAt(page);
  await row.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'General' }).click();
  await page.getByRole('button', { name: 'Delete project…' }).click();
  await lookAt(page, dialog);
  await page
    .getByRole('alertdialog', { name: `Delete ${path}?` })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('A project brings together the errors of a program')).toBeVisible();
});

for (const role of ['reporter', 'developer', 'maintainer'] as const) {
  test(`a ${role} sees the actions of that role, and the reason why there are no others`, async ({
    page,
    service,
    browser,
  }) => {
    await trackedProject(page, service);
    const bob = await bobAt(page, browser, service, path, role, '');
    const complaints: string[] = [];
    bob.on('response', (response) => {
      if (response.status() === 403) complaints.push(response.url());
    });
    if (role === 'maintainer') {
      await expect(bob.getByRole('grid', { name: 'Client keys' })).toBeVisible();
      await expect(bob.getByRole('button', { name: 'Save' })).toBeVisible();
    } else {
      await expect(
        bob.getByText(
          `This needs the role maintainer. You are a ${role} here. The owner, alice, can change your role.`,
        ),
      ).toBeVisible();
      await expect(bob.getByText('integrated')).toBeVisible();
      await expect(bob.getByRole('button', { name: 'Save' })).toHaveCount(0);
      await lookAt(bob);
    }
    await bob.getByRole('tab', { name: 'General' }).click();
    await expect(bob.getByText('You cannot delete the project. This needs the role owner.')).toBeVisible();
    await expect(bob.getByLabel('Name')).toHaveCount(role === 'maintainer' ? 1 : 0);
    await lookAt(bob);
    await bob.getByRole('tab', { name: 'Members' }).click();
    await expect(bob.getByRole('row', { name: /^alice/ })).toContainText('owner');
    await expect(bob.getByRole('button', { name: 'Change the role of alice' })).toHaveCount(0);
    if (role === 'maintainer') {
      await expect(bob.getByText('Only owners can change the role of an owner.')).toBeVisible();
      await bob.getByRole('button', { name: 'Add member' }).click();
      await expect(bob.getByRole('radio', { name: 'owner' })).toBeDisabled();
      await bob.keyboard.press('Escape');
    } else {
      await expect(bob.getByText(/You cannot change members\./)).toBeVisible();
      await expect(bob.getByRole('button', { name: 'Add member' })).toHaveCount(0);
    }
    await lookAt(bob);
    // The page sent no request beyond the rights of the role.
    expect(complaints).toEqual([]);
    await bob.getByRole('button', { name: 'Leave the project' }).click();
    await bob
      .getByRole('alertdialog', { name: `Leave ${path}?` })
      .getByRole('button', { name: 'Leave' })
      .click();
    await expect(bob.getByText('Only administrators can add projects.')).toBeVisible();
    await lookAt(bob);
    await bob.context().close();
  });
}
