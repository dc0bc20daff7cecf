import {
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';
import { clamp, inspectorLimits } from '../../context/preferences.ts';
import styles from './inspector.module.css';
import { coveredQuery, useMedia } from '../hooks/use-media.ts';

const keyboardStep = 24;

export interface InspectorProps {
  /** The heading of the screen, which is not accessible while it is covered. */
  readonly heading: string;
  readonly label: string;
  /** Whether it takes half of the window at least, because what it shows needs room. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function widthOf(chosen: number | null): number {
  return chosen ?? clamp(Math.round(window.innerWidth / 3), inspectorLimits.usual, inspectorLimits.most);
}

/** The chosen width, or else a third of the window. */
function useWidth(chosen: number | null): number {
  const listen = useCallback((changed: () => void) => {
    window.addEventListener('resize', changed);
    return () => window.removeEventListener('resize', changed);
  }, []);
  return useSyncExternalStore(listen, () => widthOf(chosen));
}

/**
 * The panel at the right: as wide as the user dragged its edge, or a third of the window; where
 * there is no room for both it covers the content and has the focus.
 */
export function Inspector({ heading, label, isWide = false, children }: InspectorProps) {
  const { preferences, commands } = useApp();
  const chosen = useStore(preferences, (state) => state.inspectorWidth);
  const width = useWidth(chosen);
  const start = useRef<{ x: number; width: number } | null>(null);
  const panel = useRef<HTMLElement>(null);
  const covers = useMedia(coveredQuery);
  useEffect(() => {
    if (covers && panel.current?.contains(document.activeElement) === false)
      panel.current.focus({ preventScroll: true });
  }, [covers]);
  const set = (next: number): void =>
    preferences.getState().change({ inspectorWidth: clamp(next, inspectorLimits.least, inspectorLimits.most) });
  const onPointerMove = (event: PointerEvent): void => {
    if (start.current !== null) set(start.current.width + start.current.x - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    set(width + (event.key === 'ArrowLeft' ? keyboardStep : -keyboardStep));
  };
  return (
    <>
      {covers ? (
        <div
          aria-hidden
          className={styles['behind']}
          onClick={() => commands.getState().handlers.get('close-inspector')?.()}
        />
      ) : null}
      <aside
        ref={panel}
        tabIndex={-1}
        aria-label={label}
        className={`${styles['inspector']} ${isWide ? styles['wide'] : ''}`}
        style={{ ['--inspector' as string]: `${width}px` }}
      >
        <div
          role="separator"
          aria-label="Width of the inspector"
          title="Drag to set the width, double-click to follow the window"
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
          onDoubleClick={() => preferences.getState().change({ inspectorWidth: null })}
        />
        {covers ? <h1 className="visually-hidden">{heading}</h1> : null}
        {children}
      </aside>
    </>
  );
}
