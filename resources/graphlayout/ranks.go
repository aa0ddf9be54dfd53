package graphlayout

// Ranks returns the rank of each task by name (the length of the longest path to it), and
// the critical path.
func Ranks(tasks []Task) (rank map[string]int, critical []string) {
	n := newNet(tasks)
	rank = make(map[string]int, len(n.tasks))
	for i := range n.tasks {
		rank[n.tasks[i].Name] = n.rank[i]
	}
	return rank, n.critical()
}
