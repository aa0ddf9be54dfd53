package page_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
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
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "make the README's pictures anew")

// maxPicture is how large a picture may be, in bytes: each clone has it.
const maxPicture = 150_000

// pictures makes the README's pictures of the demo's store, light and dark, by a clock that stands still, so that
// they are the same bytes each time as long as the page, the browser and its fonts are. Without -update it makes
// sure that they are there, small, shown, and of the page as it is: by what can be read in them.
func pictures(t *testing.T, d *driver) {
	now := time.Now().Truncate(time.Second).Add(ahead)
	p := d.browser.newTab(t, nil, wide)
	p.stopClock(now)
	p.enter(d.openShop(t, demoAt(now), remembered))
	p.at("#screen=now")
	p.wait("all is drawn", `document.querySelector("#canvas .node") && document.querySelector("#feed .link") && document.querySelectorAll("#needs-list .card").length === 2`)
	said := p.text("body") + "\n"
	if *update {
		must(t, os.MkdirAll("pictures", 0o755))
		must(t, os.WriteFile(inPictures, []byte(said), 0o644))
		p.show(look{wide.width, wide.height, true}) // all is drawn anew then: what was drawn over in part differs by some pixels
		p.settle()
		for _, name := range []string{"now-light.png", "now-dark.png"} {
			p.show(look{wide.width, wide.height, name == "now-dark.png"})
			p.settle()
			shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			must(t, err)
			must(t, os.WriteFile(filepath.Join("pictures", name), small(t, shot), 0o644))
		}
	}
	shown, err := os.ReadFile(inPictures)
	must(t, err)
	if string(shown) != said {
		t.Errorf("the pictures are of another page: go test -run TestPage/pictures -update; the page says %s", said)
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

// inPictures is what can be read in the pictures.
const inPictures = "pictures/now.txt"

// ahead is how far the clock of the pictures is: what the controller does while they are made was so many
// whole minutes ago then, whether it took a second or most of a minute.
const ahead = 2*time.Minute + 55*time.Second

// stopClock has the scripts of the tab's pages take it for that moment, whenever it is.
func (p *tab) stopClock(now time.Time) {
	p.t.Helper()
	source := fmt.Sprintf(`Date = class extends Date { constructor(...of) { of.length ? super(...of) : super(Date.now()); } static now() { return %d; } }`, now.UnixMilli())
	_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	must(p.t, err)
}

// bits are a colour as one number.
func bits(c color.Color) uint64 {
	r, g, b, a := c.RGBA()
	return uint64(r)<<48 | uint64(g)<<32 | uint64(b)<<16 | uint64(a)
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
	palette := color.Palette(slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return cmp.Or(count[b]-count[a], cmp.Compare(bits(a), bits(b))) }))
	few := image.NewPaletted(size, palette[:min(256, len(palette))])
	draw.Draw(few, size, shot, size.Min, draw.Src)
	var out bytes.Buffer
	must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few))
	return out.Bytes()
}
