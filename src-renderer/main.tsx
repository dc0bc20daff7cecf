import { createRoot } from 'react-dom/client';
import { findDesktop } from './context/desktop.ts';
import { Application } from './app/application.tsx';
import { pageReporter } from './app/page-errors.ts';
import './ui/styles/base.css';

const root = document.querySelector('#root');
if (root !== null) {
  // Only the window's own page reports: a browser may be anybody's.
  const options = findDesktop() === null ? {} : pageReporter(window, (input, init) => fetch(input, init));
  createRoot(root, options).render(<Application />);
}
