package dash

import (
	"fmt"
	"strings"
	"testing"
)

// Each screen, at each size, on each kind of terminal.
func TestScreens(t *testing.T) {
	kinds := map[string]kindOfTerminal{"colour": colourful, "nocolour": {true, false}, "ascii": {false, false}}
	keys := map[string][]string{
		"now": nil, "plan": {"2"}, "outline": {"2"}, "board": {"2"}, "task": {"2", "/", "'login-api", "enter", "enter"}, "gate": {"3"}, "gatefind": {"3", "/", "'rule=no-verify", "enter"}, "session": {"down", "enter"}, "trees": nil, "memory": {"4"},
		"keys": {"?"}, "abandon": {"2", "/", "'login-api", "enter", "x", "'no time"},
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		for kind, k := range kinds {
			for name, typed := range keys {
				if kind != "colour" && name != "now" && name != "plan" && name != "task" {
					continue
				}
				file := fmt.Sprintf("%s-%d-%s", name, size[0], kind)
				t.Run(file, func(t *testing.T) {
					s := shop()
					if name == "trees" {
						s.Trees = shopTrees()
					}
					d := newDesk(t, size[0], size[1], k, s)
					d.describe, d.next = loginAPI, shopNext()
					d.types(typed...)
					for name == "outline" && d.viewed() != otherView(size[0]) || name == "board" && d.viewed() != asBoard {
						d.types("g")
					}
					text := strings.Join(d.lines(), "\n") + "\n"
					if kind != "ascii" {
						text += "\n" + strings.Join(d.looks(), "\n") + "\n"
					}
					golden(t, file, text)
				})
			}
		}
	}
}

// otherView is the one of lanes and outline that is not shown by itself at a width.
func otherView(width int) int {
	if width < twoPanes {
		return asLanes
	}
	return asOutline
}
