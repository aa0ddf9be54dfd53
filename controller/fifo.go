package controller

// fifo is a first-in-first-out list of places in a queue. The zero fifo is empty.
type fifo[K comparable] struct {
	places []place[K]
	head   int
}

// place is where a key stands in line. It counts only while the item's ticket is
// the same: a key that moved up leaves a void place behind.
type place[K comparable] struct {
	item   *item[K]
	ticket uint64
}

func (f *fifo[K]) push(p place[K]) { f.places = append(f.places, p) }

func (f *fifo[K]) pop() (place[K], bool) {
	if f.head == len(f.places) {
		return place[K]{}, false
	}
	p := f.places[f.head]
	f.places[f.head] = place[K]{} // do not keep the item
	f.head++
	f.trim()
	return p, true
}

// trim gives back the room of what was popped, so that a queue that is never
// quite empty does not grow.
func (f *fifo[K]) trim() {
	if f.head == len(f.places) {
		f.places, f.head = f.places[:0], 0
		if cap(f.places) > 4096 {
			f.places = nil
		}
	}
	if f.head > 64 && f.head > len(f.places)/2 {
		n := copy(f.places, f.places[f.head:])
		clear(f.places[n:])
		f.places, f.head = f.places[:n], 0
	}
}
