package plangraph

// Ranks says of each task, by name, how many come before it, one after the other, and which tasks are
// on the longest way that is still to go.
func Ranks(tasks []Task) (rank map[string]int, critical []string) {
	n := newNet(tasks)
	rank = make(map[string]int, len(n.tasks))
	for i := range n.tasks {
		rank[n.tasks[i].Name] = n.rank[i]
	}
	return rank, n.critical()
}
