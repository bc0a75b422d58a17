import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MapRoom } from "../model/map-layout.ts";

/** What is left free below a map. */
const margin = 16;

/** The room of the window that is left for an element, from where it begins to the end of the view. */
export function useRoom(): { readonly place: RefObject<HTMLDivElement | null>; readonly room: MapRoom } {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<MapRoom>({ width: 1200, height: 600 });
  useLayoutEffect(() => {
    const element = place.current;
    const view = element?.closest("main");
    if (element === null || view === null || view === undefined) return undefined;
    const measure = () => {
      const top = element.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop;
      const next = {
        width: element.clientWidth,
        height: Math.max(200, Math.floor(view.clientHeight - top - margin)),
      };
      setRoom((now) => (now.width === next.width && now.height === next.height ? now : next));
    };
    const observer = new ResizeObserver(measure);
    for (const each of [view, element.parentElement ?? element]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return { place, room };
}
