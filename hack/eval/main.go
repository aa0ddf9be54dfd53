// Eval measures what memory is worth: whether the mems that matter are found, whether they
// fit, whether a pack's beginning stays as it was, and whether packs keep their budget.
package main

import (
	"fmt"
	"os"
	"slices"
)

func main() {
	for _, file := range os.Args[1:] {
		s, err := readSet(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		results := askSet(s)
		for _, r := range rankers {
			categories := []string{}
			for c := range results[r.name] {
				categories = append(categories, c)
			}
			slices.Sort(categories)
			for _, c := range categories {
				m := results[r.name][c]
				fmt.Printf("%-24s %-12s %-12s %4d  R@5 %.3f R@10 %.3f nDCG %.3f inside %.3f\n", s.name, c, r.name, m.questions, m.recall[0], m.recall[1], m.ndcg, m.inside)
			}
		}
	}
}
