package main

import "fmt"

func printHeader() {
	fmt.Printf("%-9s %-72s %10s %10s %7s  %s\n", "ROW", "WHAT", "FLOOR", "OURS", "RATIO", "GOAL")
}

func printResult(r Result) {
	floor, ratio := "-", "-"
	if r.Floor > 0 {
		floor, ratio = number(r.Floor, r.Unit), fmt.Sprintf("%.2fx", r.Ratio())
	}
	fmt.Printf("%-9s %-72s %10s %10s %7s  %s\n", r.Row, r.What, floor, number(r.Ours, r.Unit), ratio, r.Goal)
}

func number(v float64, unit string) string { return fmt.Sprintf("%.2f%s", v, unit) }
