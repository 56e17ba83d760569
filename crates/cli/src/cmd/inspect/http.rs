//! As much of HTTP as one page on loopback needs.

use anyhow::{Context, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longest request line and headers together.
const MOST_HEAD: u64 = 16 << 10;
/// Longest body: a capture.
const MOST_BODY: u64 = 2 << 30;
/// How long a browser may think.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the browser wants.
pub struct Request {
    /// GET or POST.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Whom the browser thinks it talks to.
    pub host: String,
    /// What it sends.
    pub body: Vec<u8>,
}

impl Request {
    /// Reads a request.
    pub fn read(stream: &mut TcpStream) -> anyhow::Result<Request> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Request::parse(BufReader::new(stream))
    }

    fn parse(mut stream: impl BufRead) -> anyhow::Result<Request> {
        let mut head = stream.by_ref().take(MOST_HEAD);
        let mut line = String::new();
        head.read_line(&mut line)?;
        let mut parts = line.split_whitespace();
        let method = parts.next().context("no request")?.to_string();
        let path = parts.next().context("no path")?.to_string();
        let (mut host, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            ensure!(head.read_line(&mut line)? > 0, "the request is cut");
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "host" => host = value.trim().to_string(),
                "content-length" => length = value.trim().parse().context("a bad length")?,
                _ => {}
            }
        }
        ensure!(length <= MOST_BODY, "more than {MOST_BODY} bytes");
        let mut body = Vec::new();
        stream.take(length).read_to_end(&mut body)?;
        ensure!(body.len() as u64 == length, "the body is cut");
        Ok(Request {
            method,
            path,
            host,
            body,
        })
    }
}

/// `%20` and the like made readable.
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (byte, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the browser gets.
pub struct Reply {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Reply {
    /// Something that was there.
    pub fn new(kind: &'static str, body: Vec<u8>) -> Reply {
        Reply {
            status: 200,
            kind,
            body,
        }
    }

    /// What is wrong, for people.
    pub fn error(status: u16, text: String) -> Reply {
        Reply {
            status,
            kind: "text/plain; charset=utf-8",
            body: text.into_bytes(),
        }
    }

    /// Writes it; the connection ends with it.
    pub fn write(&self, stream: &mut impl Write) -> std::io::Result<()> {
        let Reply { status, kind, body } = self;
        write!(
            stream,
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
            if *status == 200 { "OK" } else { "Error" },
            body.len(),
        )?;
        stream.write_all(body)?;
        stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let text =
            b"POST /x/open?name=a HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 3\r\n\r\nabc";
        let request = Request::parse(&text[..]).unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/x/open?name=a")
        );
        assert_eq!(
            (request.host.as_str(), &*request.body),
            ("127.0.0.1:1", &b"abc"[..])
        );
    }

    #[test]
    fn bad_requests_are_refused() {
        for text in [
            &b""[..],
            b"GET",
            b"GET / HTTP/1.1\r\n",
            b"GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
            b"GET / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n",
            b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        ] {
            assert!(
                Request::parse(text).is_err(),
                "{:?}",
                String::from_utf8_lossy(text)
            );
        }
        let endless = [b'a'; 64 << 10];
        assert!(Request::parse(&endless[..]).is_err());
    }

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("a%20b%2"), "a b%2");
        assert_eq!(decoded("%zz%C3%A4"), "%zzä");
    }
}
