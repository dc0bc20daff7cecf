import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../app/context.ts';
import { clamp, inspectorLimits } from '../app/preferences.ts';
import styles from './inspector.module.css';

const keyboardStep = 24;

/** The panel at the right: as wide as its edge was dragged; it covers the content where there is no room for both. */
export function Inspector({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { preferences } = useApp();
  const width = useStore(preferences, (state) => state.inspectorWidth);
  const start = useRef<{ x: number; width: number } | null>(null);
  const set = (next: number): void => preferences.getState().change({ inspectorWidth: clamp(next, inspectorLimits.least, inspectorLimits.most) });
  const onPointerMove = (event: PointerEvent): void => {
    if (start.current !== null) set(start.current.width + start.current.x - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    set(width + (event.key === 'ArrowLeft' ? keyboardStep : -keyboardStep));
  };
  return (
    <aside aria-label={label} className={styles['inspector']} style={{ ['--inspector' as string]: `${width}px` }}>
      <div
        role="separator"
        aria-label="Width of the inspector"
        aria-orientation="vertical"
        aria-valuemin={inspectorLimits.least}
        aria-valuemax={inspectorLimits.most}
        aria-valuenow={Math.round(width)}
        tabIndex={0}
        className={styles['edge']}
        onPointerDown={(event) => {
          start.current = { x: event.clientX, width };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          start.current = null;
        }}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  );
}
