package page_test

import (
	"math"
	"strconv"
	"testing"
)

// grounds says which colours of app.css text has on which ground. The browser judges text by axe; what
// is drawn in the graph it does not.
var grounds = map[string][]string{
	"--bg":      {"--ink", "--ink2", "--ink3", "--done", "--act", "--ready", "--block", "--rev", "--fail", "--warn", "--accent"},
	"--card":    {"--ink", "--ink2", "--ink3", "--done", "--act", "--ready", "--block", "--rev", "--fail", "--warn", "--accent"},
	"--done-b":  {"--done", "--ink", "--ink2"},
	"--act-b":   {"--act", "--ink", "--ink2"},
	"--block-b": {"--block", "--ink", "--ink2"},
	"--rev-b":   {"--rev", "--ink", "--ink2"},
	"--fail-b":  {"--fail", "--ink", "--ink2"},
	"--warn-b":  {"--warn", "--ink", "--ink2"},
	"--accent":  {"--on"},
	"--fail":    {"--on"},
}

// colours makes sure that every pair of them can be read, light and dark.
func colours(t *testing.T, d *driver) {
	p := d.open(t, d.demo, wide)
	for _, dark := range []bool{false, true} {
		p.show(look{wide.width, wide.height, dark})
		least, where := 100.0, ""
		for ground, texts := range grounds {
			for _, text := range texts {
				c := contrast(p.colour(ground), p.colour(text))
				if !(c >= 4.5) {
					t.Errorf("dark %v: %s on %s has a contrast of %.2f, want 4.5", dark, text, ground, c)
				}
				if c < least {
					least, where = c, text+" on "+ground
				}
			}
		}
		t.Logf("dark %v: the least contrast is %.2f, %s", dark, least, where)
	}
}

// colour is a colour of app.css as the page has it now.
func (p *tab) colour(name string) string {
	p.t.Helper()
	return eval[string](p, `getComputedStyle(document.documentElement).getPropertyValue("`+name+`").trim()`)
}

// contrast is that of WCAG 2, between two colours as #rrggbb.
func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(colour string) float64 {
	if len(colour) != 7 {
		return math.NaN() // compares as a failure
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return math.NaN()
		}
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
