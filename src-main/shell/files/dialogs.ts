import { dialog, type BaseWindow, type MessageBoxOptions } from 'electron';
import { backupFile } from './backup-file.ts';
import type { Question } from '../quitting/quit-rules.ts';

const backupFiles = [{ name: 'Backups', extensions: ['zip'] }];

/** Asks for any number of folders. */
export async function chooseFolders(window: BaseWindow): Promise<string[]> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Register folders, each as a measurement',
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'multiSelections'],
  });
  return chosen.filePaths;
}

/** Asks for any number of files. */
export async function chooseFiles(window: BaseWindow): Promise<string[]> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Register files or ZIP archives',
    buttonLabel: 'Choose',
    properties: ['openFile', 'multiSelections'],
  });
  return chosen.filePaths;
}

/** Asks where to put an export; null if the user cancels. */
export async function chooseExportFolder(window: BaseWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Export to a folder',
    buttonLabel: 'Export here',
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen.filePaths[0] ?? null;
}

/** Asks where to put a fetch; null if the user cancels. */
export async function chooseFetchFolder(window: BaseWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Fetch into a folder',
    buttonLabel: 'Fetch here',
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen.filePaths[0] ?? null;
}

/** Asks for a new file for a backup, with a suggested name; null if the user cancels. */
export async function chooseNewBackup(window: BaseWindow, name: string): Promise<string | null> {
  const chosen = await dialog.showSaveDialog(window, {
    title: 'Make a backup',
    buttonLabel: 'Make the backup',
    defaultPath: name,
    filters: backupFiles,
  });
  if (chosen.filePath === '') return null;
  return backupFile(chosen.filePath, async (file) => {
    const question = {
      message: `Replace ${file}?`,
      detail: 'A file with this name is in that folder already.',
      buttons: ['Replace', 'Cancel'],
    };
    return (await askQuestion(question, window)) === 0;
  });
}

/** Asks for a backup; null if the user cancels. */
export async function chooseBackup(window: BaseWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Restore a backup',
    buttonLabel: 'Open',
    properties: ['openFile'],
    filters: backupFiles,
  });
  return chosen.filePaths[0] ?? null;
}

/** Asks for a folder for backups or for the data; null if the user cancels. */
export async function chooseDataFolder(window: BaseWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Choose a folder',
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen.filePaths[0] ?? null;
}

/**
 * Shows a question over the window, or on its own if the window is not visible.
 * @param withdrawn closes it as if the last button was chosen.
 * @returns the index of the chosen button.
 */
export async function askQuestion(
  question: Question,
  window: BaseWindow | undefined,
  withdrawn?: AbortSignal,
): Promise<number> {
  const last = question.buttons.length - 1;
  const options: MessageBoxOptions = {
    type: 'question',
    title: 'Benchport',
    ...question,
    buttons: [...question.buttons],
    defaultId: last,
    cancelId: last,
    noLink: true,
    ...(withdrawn ? { signal: withdrawn } : {}),
  };
  const { response } = await (window?.isVisible()
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response;
}

/** Says why the service could not start; resolves to true if the user wants to retry. */
export async function askToRetry(message: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Benchport',
    message: 'The service could not start',
    detail: message,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}
