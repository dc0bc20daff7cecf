import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type MouseEvent,
} from 'react';
import { fitted, moved, within, zoomed, type Size, type Viewport } from './viewport.ts';

/** One step of the buttons and keys. */
const zoomStep = 1.5;
/** Part of the view by which an arrow moves. */
const moveShare = 0.2;

/** The view of a page that its user moves: by wheel, dragging, double click, keys and buttons. */
export function useStage(page: Size) {
  const stage = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Size>({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<Viewport | null>(null);
  const drag = useRef<readonly [x: number, y: number] | null>(null);
  const isKnown = screen.width > 0 && screen.height > 0;
  const viewport = chosen === null || !isKnown ? fitted(page, screen) : within(chosen, page, screen);

  useLayoutEffect(() => {
    const target = stage.current;
    if (target === null) return undefined;
    const observer = new ResizeObserver(() => setScreen({ width: target.clientWidth, height: target.clientHeight }));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);

  const change = (how: (before: Viewport) => Viewport): void =>
    setChosen((before) => how(before ?? fitted(page, screen)));
  const zoom = (factor: number, point?: readonly [x: number, y: number]): void =>
    change((before) => zoomed(before, factor, page, screen, point));
  const move = (x: number, y: number): void => change((before) => moved(before, x, y, page, screen));
  const showAll = (): void => setChosen(null);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    const target = stage.current;
    if (target === null) return;
    event.preventDefault();
    const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 24;
    zoom(Math.exp(-Math.max(-200, Math.min(200, lines)) * 0.002), pointOf(event, target));
  });
  // A listener of React could not keep the page from scrolling.
  useEffect(() => {
    const target = stage.current;
    const listen = (event: WheelEvent): void => onWheel(event);
    target?.addEventListener('wheel', listen, { passive: false });
    return () => target?.removeEventListener('wheel', listen);
  }, []);

  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoom(zoomStep),
    '=': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': showAll,
    ArrowLeft: () => move(-screen.width * moveShare, 0),
    ArrowRight: () => move(screen.width * moveShare, 0),
    ArrowUp: () => move(0, -screen.height * moveShare),
    ArrowDown: () => move(0, screen.height * moveShare),
  };

  return {
    stage,
    screen,
    viewport,
    isKnown,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    showAll,
    showPixels: () => zoom(1 / viewport.scale),
    handlers: {
      onKeyDown(event: KeyboardEvent) {
        const key = keys[event.key];
        if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        key();
      },
      onDoubleClick: (event: MouseEvent<HTMLElement>) => zoom(2, pointOf(event, event.currentTarget)),
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = [event.clientX, event.clientY];
      },
      onPointerMove(event: PointerEvent) {
        if (drag.current === null) return;
        const [x, y] = drag.current;
        drag.current = [event.clientX, event.clientY];
        move(x - event.clientX, y - event.clientY);
      },
      onPointerUp: () => void (drag.current = null),
      onPointerCancel: () => void (drag.current = null),
    },
  };
}

/** A place counted from the middle of an element, in points. */
function pointOf(event: { clientX: number; clientY: number }, element: HTMLElement): readonly [x: number, y: number] {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [event.clientX - left - width / 2, event.clientY - top - height / 2];
}
