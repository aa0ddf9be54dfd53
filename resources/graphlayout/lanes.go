package graphlayout

import "strings"

// MaxLanes is the maximum number of parallel lines.
const MaxLanes = 8

// Row is a task in a terminal, with the lines to its prerequisites.
type Row struct {
	Task        Task
	Prefix      string // text to the left of its sign
	Tail        string // text to the right of its sign
	HiddenEdges int    // number of prerequisites without a line
}

// Lanes draws the open tasks, one per row, with a line for each incomplete prerequisite. If
// more than MaxLanes lines would be parallel, it only draws the chain of the selection, or
// else the critical path. left is the number of omitted tasks. The lines consist of
// box-drawing characters or, if ascii is true, of + - |.
func Lanes(tasks []Task, selected string, ascii bool) (drawn []Row, left int) {
	n := newNet(tasks)
	wanted, all := make([]bool, len(n.tasks)), 0
	for v := range n.tasks {
		if wanted[v] = !hasEnded(n.tasks[v].Phase); wanted[v] {
			all++
		}
	}
	rows := n.rowsOf(wanted)
	drawn, most := n.lanes(rows, wanted, ascii)
	if most > MaxLanes {
		n.keepChain(wanted, selected)
		rows = n.rowsOf(wanted)
		drawn, _ = n.lanes(rows, wanted, ascii)
	}
	return drawn, all - len(drawn)
}

// keepChain only keeps the direct and indirect prerequisites and dependents of a task.
// Without a task, it keeps the critical path.
func (n *net) keepChain(wanted []bool, selected string) {
	keep := make([]bool, len(wanted))
	if v, found := n.index[selected]; !found {
		for _, name := range n.critical() {
			keep[n.index[name]] = true
		}
	} else {
		for _, next := range [][][]int{n.dependencies, n.dependents} {
			stack, seen := []int{v}, make([]bool, len(wanted))
			for len(stack) > 0 {
				w := stack[len(stack)-1]
				if stack = stack[:len(stack)-1]; !seen[w] {
					seen[w], keep[w] = true, true
					stack = append(stack, next[w]...)
				}
			}
		}
	}
	for v := range wanted {
		wanted[v] = wanted[v] && keep[v]
	}
}

// laning is the state of drawing lanes.
type laning struct {
	*net
	needed    []bool
	glyphs    *[9]string
	remaining []int // by task: number of remaining rows that need it
	open      []int // by lane: its task; -1 for a free lane
	lane      []int // by task: its lane; -1 without a line
	maxLanes  int   // maximum number of parallel lines
}

// lanes draws the wanted tasks as rows with lines to their dependents, in the given order. It also
// returns the largest number of parallel lines.
func (n *net) lanes(order []int, wanted []bool, ascii bool) (drawn []Row, most int) {
	l := &laning{net: n, needed: wanted, glyphs: &boxes, remaining: make([]int, len(n.tasks)), lane: make([]int, len(n.tasks))}
	if ascii {
		l.glyphs = &plain
	}
	placed := make([]bool, len(n.tasks))
	for _, v := range order { // lines only lead down, so there is no line back in a cycle
		placed[v] = true
		l.lane[v] = -1
		for _, first := range n.dependencies[v] {
			if placed[first] && wanted[first] && first != v {
				l.remaining[first]++
			}
		}
	}
	for _, v := range order {
		drawn = append(drawn, l.row(v))
	}
	return drawn, l.maxLanes
}

// row draws one task and starts its line.
func (l *laning) row(v int) Row {
	r := Row{Task: l.tasks[v]}
	from, ends := make([]bool, len(l.open)), make([]bool, len(l.open))
	for _, first := range l.dependencies[v] {
		lane := -1
		if l.needed[first] {
			lane = l.lane[first]
		}
		if lane >= 0 {
			l.remaining[first]--
			from[lane], ends[lane] = true, l.remaining[first] == 0
		} else if !hasEnded(l.tasks[first].Phase) {
			r.HiddenEdges++
		}
	}
	at := l.column(ends)
	for len(from) < len(l.open) {
		from, ends = append(from, false), append(ends, false)
	}
	r.Prefix, r.Tail = l.line(at, from, ends)
	for k := range ends {
		if ends[k] {
			l.lane[l.open[k]], l.open[k] = -1, -1
		}
	}
	l.begin(v, at)
	return r
}

// column returns the lane of a task: the leftmost lane that ends in its row, else the
// leftmost free lane.
func (l *laning) column(ends []bool) int {
	free := -1
	for k, whose := range l.open {
		if ends[k] {
			return k
		}
		if whose < 0 && free < 0 {
			free = k
		}
	}
	if free < 0 {
		free = len(l.open)
		l.open = append(l.open, -1)
	}
	return free
}

// begin starts the line of a task that later rows need, if there is a lane for it.
func (l *laning) begin(v, at int) {
	if l.remaining[v] > 0 {
		running := 1
		for _, whose := range l.open {
			if whose >= 0 {
				running++
			}
		}
		l.maxLanes = max(l.maxLanes, running)
		if at < MaxLanes {
			l.open[at], l.lane[v] = v, at
		}
	}
	for len(l.open) > 0 && l.open[len(l.open)-1] < 0 {
		l.open = l.open[:len(l.open)-1]
	}
}

// Glyphs in this order: blank, horizontal, vertical, end of a line to the left and right of
// the sign, branch to the left and right of the sign, end of a line between others, and
// branch between others.
var (
	boxes = [9]string{" ", "─", "│", "╰", "╯", "├", "┤", "┴", "┼"}
	plain = [9]string{" ", "-", "|", "+", "+", "+", "+", "+", "+"}
)

// line returns the text to the left and right of the sign in lane at.
func (l *laning) line(at int, from, ends []bool) (left, tail string) {
	low, high := at, at
	for k := range from {
		if from[k] {
			low, high = min(low, k), max(high, k)
		}
	}
	var before, behind strings.Builder
	for k := range l.open {
		b := &before
		if k > at {
			b = &behind
		}
		if k > 0 {
			b.WriteString(l.glyph(k > low && k <= high, 1))
		}
		if k != at {
			b.WriteString(l.cell(k, at, k > low && k < high, from[k], ends[k]))
		}
	}
	return before.String(), behind.String()
}

// glyph returns a line glyph, or a blank if drawn is false.
func (l *laning) glyph(drawn bool, which int) string {
	if !drawn {
		which = 0
	}
	return l.glyphs[which]
}

// cell returns the glyph of a lane other than the task's.
func (l *laning) cell(k, at int, between, from, ends bool) string {
	switch {
	case ends && between:
		return l.glyphs[7]
	case from && between:
		return l.glyphs[8]
	case ends && k < at:
		return l.glyphs[3]
	case ends:
		return l.glyphs[4]
	case from && k < at:
		return l.glyphs[5]
	case from:
		return l.glyphs[6]
	case l.open[k] >= 0:
		return l.glyphs[2]
	}
	return l.glyph(between, 1)
}
