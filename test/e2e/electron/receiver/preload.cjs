// Writes the paths of what is dropped into the page.
const { webUtils } = require('electron');

window.addEventListener('dragover', (event) => {
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
});
window.addEventListener('drop', (event) => {
  event.preventDefault();
  const paths = [...event.dataTransfer.files].map((file) => webUtils.getPathForFile(file));
  document.querySelector('#dropped').textContent = JSON.stringify(paths);
});
