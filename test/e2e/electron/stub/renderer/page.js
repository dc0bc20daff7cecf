// A stub of the user interface: waits for the service and reports dropped files.
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.violations.push(event.effectiveDirective);
});

const poll = async () => {
  const response = await fetch('/api/pid').catch(() => undefined);
  document.querySelector('#state').textContent = response?.ok
    ? `ready ${(await response.json()).pid}`
    : `waiting ${response?.status}`;
  setTimeout(() => void poll(), 100);
};
void poll();

document.addEventListener('dragover', (event) => {
  event.preventDefault();
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.querySelector('#drop').textContent = window.benchport.pathsOf([...event.dataTransfer.files]).join('\n');
});
