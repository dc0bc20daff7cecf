import { createRoot } from 'react-dom/client';
import { Application } from './app/application.tsx';
import './ui/base.css';

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Application />);
