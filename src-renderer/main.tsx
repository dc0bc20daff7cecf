import { createRoot } from 'react-dom/client';
import { findDesktop } from './context/desktop.ts';
import { Application } from './app/application.tsx';
import { pageReporter } from './app/page-errors.ts';
import './ui/styles/base.css';

const root = document.querySelector('#root');
if (root !== null) {
  // Only the window's page sends error reports: a browser may belong to any user.
  const options = findDesktop() === null ? {} : pageReporter(window, (input, init) => fetch(input, init));
  createRoot(root, options).render(<Application />);
}
