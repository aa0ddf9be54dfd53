package page_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "make the README's pictures anew")

// maxPicture is how large a picture may be, in bytes: each clone has it.
const maxPicture = 150_000

// pictures makes the README's pictures of the demo's store, light and dark; without -update it makes
// sure that they are there, small, and shown. All ages in them are those of the demo, whenever it is.
func pictures(t *testing.T, d *driver) {
	if *update {
		p := d.open(t, d.openShop(t, demo(), remembered), wide)
		for name, dark := range map[string]bool{"now-light.png": false, "now-dark.png": true} {
			p.show(look{wide.width, wide.height, dark})
			p.at("#screen=now")
			p.wait("all is drawn", `document.querySelector("#canvas .node") && document.querySelector("#feed .link")`)
			p.settle()
			shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			must(t, err)
			must(t, os.MkdirAll("pictures", 0o755))
			must(t, os.WriteFile(filepath.Join("pictures", name), small(t, shot), 0o644))
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	must(t, err)
	files, err := filepath.Glob("pictures/*.png")
	must(t, err)
	if len(files) != 2 {
		t.Errorf("there are %d pictures, want 2: go test -run TestPage/pictures -update", len(files))
	}
	for _, file := range files {
		info, err := os.Stat(file)
		must(t, err)
		if info.Size() > maxPicture {
			t.Errorf("%s has %d bytes, want at most %d", file, info.Size(), maxPicture)
		}
		if !strings.Contains(string(readme), "hack/e2e/page/"+filepath.ToSlash(file)) {
			t.Errorf("README.md does not show %s", file)
		}
	}
}

// small is a picture with no more than 256 colours: those that it has most of.
func small(t *testing.T, data []byte) []byte {
	t.Helper()
	shot, err := png.Decode(bytes.NewReader(data))
	must(t, err)
	count, size := map[color.Color]int{}, shot.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			count[shot.At(x, y)]++
		}
	}
	palette := color.Palette(slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] }))
	few := image.NewPaletted(size, palette[:min(256, len(palette))])
	draw.Draw(few, size, shot, size.Min, draw.Src)
	var out bytes.Buffer
	must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	return out.Bytes()
}
