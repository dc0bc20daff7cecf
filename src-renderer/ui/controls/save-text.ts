/** Saves a text as a file: a browser saves it among the downloads, the window asks where. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'text/plain' }));
}

/** Saves any content as a file. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the next turn of the event loop the download holds a reference of its own.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
