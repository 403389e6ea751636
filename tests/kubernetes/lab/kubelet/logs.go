package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	longestLogLine  = 16 << 10
	followPeriod    = 100 * time.Millisecond
	logsPathPattern = "/containerLogs/{namespace}/{pod}/{container}"
)

// containerLog is a log file as container runtimes write it: a line is the
// time, the stream, F or, where no newline follows, P, and the text.
type containerLog struct {
	mu   sync.Mutex
	file *os.File
}

func newContainerLog(path string) (*containerLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	return &containerLog{file: file}, err
}

func (l *containerLog) close() { _ = l.file.Close() }

// copy writes both streams to the file until they end.
func (l *containerLog) copy(stdout, stderr *os.File) *sync.WaitGroup {
	var both sync.WaitGroup
	for name, stream := range map[string]*os.File{"stdout": stdout, "stderr": stderr} {
		both.Add(1)
		go func() {
			defer both.Done()
			defer stream.Close()
			reader := bufio.NewReaderSize(stream, longestLogLine)
			for {
				line, err := reader.ReadSlice('\n')
				if len(line) > 0 {
					l.write(name, line)
				}
				if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
					return
				}
			}
		}()
	}
	return &both
}

func (l *containerLog) write(stream string, line []byte) {
	tag := "F"
	if line[len(line)-1] != '\n' {
		tag = "P"
	}
	text := strings.TrimSuffix(string(line), "\n")
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.file, "%s %s %s %s\n", time.Now().UTC().Format(time.RFC3339Nano), stream, tag, text)
}

// serveLogs serves /containerLogs over HTTPS, for the API server.
func (k *kubelet) serveLogs() error {
	certificate, err := selfSigned(k.node)
	if err != nil {
		return err
	}
	listener, err := tls.Listen("tcp", net.JoinHostPort(k.address, strconv.Itoa(k.port)),
		&tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+logsPathPattern, k.answerLogs)
	go func() { log.Fatal(http.Serve(listener, mux)) }()
	return nil
}

func selfSigned(name string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
	}
	bytes, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{bytes}, PrivateKey: key}, err
}

// logOptions are what a reader of a log asked for.
type logOptions struct {
	follow, previous, timestamps bool
	tail, limit                  int64 // Negative: all.
	since                        time.Time
}

func readLogOptions(query url.Values) (o logOptions, err error) {
	flag := func(name string) bool { value, _ := strconv.ParseBool(query.Get(name)); return value }
	number := func(name string) int64 {
		text := query.Get(name)
		if text == "" {
			return -1
		}
		value, bad := strconv.ParseInt(text, 10, 64)
		err = errors.Join(err, bad)
		return value
	}
	o = logOptions{follow: flag("follow"), previous: flag("previous"), timestamps: flag("timestamps")}
	o.tail, o.limit = number("tailLines"), number("limitBytes")
	if seconds := number("sinceSeconds"); seconds >= 0 {
		o.since = time.Now().Add(-time.Duration(seconds) * time.Second)
	}
	if text := query.Get("sinceTime"); text != "" {
		var bad error
		o.since, bad = time.Parse(time.RFC3339, text)
		err = errors.Join(err, bad)
	}
	return o, err
}

func (k *kubelet) answerLogs(out http.ResponseWriter, request *http.Request) {
	name := request.PathValue("container")
	w := k.findWorker(request.PathValue("namespace"), request.PathValue("pod"))
	if w == nil {
		http.Error(out, fmt.Sprintf("pod %q does not exist", request.PathValue("pod")), http.StatusNotFound)
		return
	}
	o, err := readLogOptions(request.URL.Query())
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	path, err := w.logToRead(name, o.previous)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	file, err := os.Open(path)
	if err != nil {
		http.Error(out, err.Error(), http.StatusNotFound)
		return
	}
	defer file.Close()
	out.Header().Set("Content-Type", "text/plain")
	reader := &logReader{logOptions: o, out: out, in: bufio.NewReader(file)}
	reader.skipToTail(file)
	for {
		ended := w.hasEnded(name) // Before the read, so that the read sees all.
		if !reader.copyLines() || !o.follow || ended || request.Context().Err() != nil {
			return
		}
		if flusher, ok := out.(http.Flusher); ok {
			flusher.Flush()
		}
		time.Sleep(followPeriod)
	}
}

type logReader struct {
	logOptions
	out     io.Writer
	in      *bufio.Reader
	partial string // The begin of a line that is still being written.
}

// next is a line's time and text; false: no whole line is there.
func (r *logReader) next() (stamp, text string, ok bool) {
	part, err := r.in.ReadString('\n')
	r.partial += part
	if err != nil {
		return "", "", false
	}
	fields := strings.SplitN(r.partial, " ", 4)
	r.partial = ""
	text = strings.TrimSuffix(fields[3], "\n")
	if fields[2] == "F" {
		text += "\n"
	}
	return fields[0], text, true
}

func (r *logReader) skipToTail(file *os.File) {
	if r.tail < 0 {
		return
	}
	var lines int64
	for _, _, ok := r.next(); ok; _, _, ok = r.next() {
		lines++
	}
	r.partial = ""
	_, _ = file.Seek(0, io.SeekStart)
	r.in.Reset(file)
	for skip := lines - r.tail; skip > 0; skip-- {
		r.next()
	}
}

// copyLines copies what is there; false: nobody wants more.
func (r *logReader) copyLines() bool {
	for {
		stamp, text, ok := r.next()
		if !ok {
			return true
		}
		if when, err := time.Parse(time.RFC3339Nano, stamp); err == nil && when.Before(r.since) {
			continue
		}
		if r.timestamps {
			text = stamp + " " + text
		}
		if r.limit >= 0 && int64(len(text)) > r.limit {
			text = text[:r.limit]
		}
		if _, err := io.WriteString(r.out, text); err != nil {
			return false
		}
		if r.limit >= 0 {
			if r.limit -= int64(len(text)); r.limit == 0 {
				return false
			}
		}
	}
}

// tailOf is the end of a log, as a message of a container that failed.
func tailOf(file *os.File) []byte {
	var text strings.Builder
	reader := &logReader{logOptions: logOptions{tail: 80, limit: -1}, out: &text, in: bufio.NewReader(file)}
	reader.skipToTail(file)
	reader.copyLines()
	return []byte(text.String()[max(0, text.Len()-2048):])
}
