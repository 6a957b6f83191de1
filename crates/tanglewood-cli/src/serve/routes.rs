//! What can be asked for: the page's files, and the explorer's questions below `/api/`.

use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, StatusCode};
use tanglewood_explorer::{
    Asset, Content, Explorer, MODEL_AWAITED, Model, QUESTIONS, Refusal, Reply, assets,
};
use tokio::time::timeout;

use super::body::{self, NoBody};
use super::guard::Guard;
use super::limits;
use super::workers::Workers;

/// An answer to a request.
pub type Response = hyper::Response<Full<Bytes>>;

/// Reads the model that the explorer waits for.
type ReadModel = fn() -> Result<Model, String>;

/// What all requests share.
pub struct Server {
    guard: Guard,
    assets: Vec<Asset>,
    explorer: Arc<Explorer>,
    read_model: ReadModel,
    workers: Workers,
}

impl Server {
    /// `read_model` is called when the explorer waits for a model, and somebody needs it.
    pub fn new(guard: Guard, explorer: Explorer, read_model: ReadModel) -> Server {
        Server { guard, assets: assets(), explorer: Arc::new(explorer), read_model, workers: Workers::new() }
    }

    /// The answer to a request: who may ask, how long it may take, and what the answer says about itself.
    pub async fn respond(&self, request: Request<Incoming>) -> Response {
        let mut response = if !self.guard.admits(request.uri(), request.headers()) {
            refuse(
                StatusCode::FORBIDDEN,
                "this server answers to its own address only; open it as http://localhost or by its number, or start it with --host NAME".to_owned(),
            )
        } else {
            match timeout(limits::REQUEST_TIME, self.route(request)).await {
                Ok(response) => response,
                Err(_) => refuse(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "this took too long; try a shorter sentence or a cheaper system".to_owned(),
                ),
            }
        };
        Guard::sign(response.headers_mut());
        response
    }

    /// Finds what is asked for.
    async fn route(&self, request: Request<Incoming>) -> Response {
        let path = request.uri().path();
        if let Some(asset) = self.assets.iter().find(|asset| asset.path == path) {
            return only(&[Method::GET, Method::HEAD], &request).unwrap_or_else(|| file(asset));
        }
        let question = path.strip_prefix("/api/");
        let question = QUESTIONS.iter().find(|(name, _)| question == Some(name));
        let Some(&(name, content)) = question else {
            return refuse(StatusCode::NOT_FOUND, "there is nothing here; the page is at /".to_owned());
        };
        let methods: &[Method] = match content {
            Content::Nothing => &[Method::GET, Method::HEAD],
            Content::Json | Content::Bytes => &[Method::POST],
        };
        if let Some(refused) = only(methods, &request) {
            return refused;
        }
        let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
        match body_of(request, content).await {
            Ok(body) => self.answer(format!("{name}{query}"), body).await,
            Err(response) => response,
        }
    }

    /// Has a worker answer.
    async fn answer(&self, question: String, body: Vec<u8>) -> Response {
        let (explorer, read_model) = (self.explorer.clone(), self.read_model);
        match self.workers.run(move || answer(&explorer, read_model, &question, body)).await {
            Some(reply) => written(reply),
            None => refuse(
                StatusCode::INTERNAL_SERVER_ERROR,
                "something went wrong here; please report it".to_owned(),
            ),
        }
    }
}

/// Asks the explorer, once more if it needs a model first.
fn answer(explorer: &Explorer, read_model: ReadModel, question: &str, body: Vec<u8>) -> Reply {
    // Files that are opened are large, and need no model.
    let again = if body.len() <= Content::Json.limit() { body.clone() } else { Vec::new() };
    let reply = explorer.answer(question, body);
    if reply.status != MODEL_AWAITED {
        return reply;
    }
    match read_model() {
        Ok(model) => {
            explorer.set_model(model);
            explorer.answer(question, again)
        }
        Err(problem) => refusal(StatusCode::INTERNAL_SERVER_ERROR, problem),
    }
}

/// A refusal if the request has none of these methods.
fn only(methods: &[Method], request: &Request<Incoming>) -> Option<Response> {
    if methods.contains(request.method()) {
        return None;
    }
    let mut response =
        refuse(StatusCode::METHOD_NOT_ALLOWED, "this cannot be asked for in this way".to_owned());
    for method in methods {
        response.headers_mut().append(ALLOW, HeaderValue::from_str(method.as_str()).ok()?);
    }
    Some(response)
}

/// The body of a question, or the answer to one that has none. Forms of other pages cannot send content of
/// these types without asking first.
async fn body_of(request: Request<Incoming>, content: Content) -> Result<Vec<u8>, Response> {
    let expected = match content {
        Content::Nothing => return Ok(Vec::new()),
        Content::Json => "application/json",
        Content::Bytes => "application/octet-stream",
    };
    let is_expected = |kind: &HeaderValue| kind.as_bytes().starts_with(expected.as_bytes());
    let typed = request.headers().get(CONTENT_TYPE).is_some_and(is_expected);
    let bytes = match body::read(request.into_body(), content.limit()).await {
        Ok(bytes) => bytes,
        Err(NoBody::TooLarge) => {
            return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, content.too_large().message));
        }
        Err(NoBody::Broken) => {
            return Err(refuse(StatusCode::BAD_REQUEST, "the request broke off".to_owned()));
        }
    };
    match typed {
        true => Ok(bytes),
        false => {
            Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("expected content of type {expected}")))
        }
    }
}

fn file(asset: &Asset) -> Response {
    let bytes = asset.content.as_bytes().to_vec();
    written(Reply { status: 200, kind: asset.kind, bytes })
}

fn refuse(status: StatusCode, message: String) -> Response {
    written(refusal(status, message))
}

fn refusal(status: StatusCode, message: String) -> Reply {
    let bytes = Refusal::new(message).to_json().to_string().into_bytes();
    Reply { status: status.as_u16(), kind: "application/json", bytes }
}

fn written(reply: Reply) -> Response {
    let mut response = Response::new(Full::from(reply.bytes));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(reply.kind));
    response
}
